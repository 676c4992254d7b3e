// Fourier transforms of vectors, images and batches, short-time transforms, and arithmetic of complex
// tensors. What a transform gives is rounded before it is printed.
#include <torch/torch.h>
#include <torchbook/notebook/notebook.h>

#include <numbers>
#include <vector>

using torch::Tensor;
using torch::indexing::None;
using torch::indexing::Slice;

void spectra(torchbook::Notebook& nb) {
  nb.cell("1");
  // The headers at the top of this file stand for both imports.

  nb.note(
      "A zero of a transform may be a tiny number, and its sign depends on the kernels. So the results "
      "are rounded to three decimals before they are printed, and the sum with zero turns a negative "
      "zero into zero.");

  nb.cell("2");
  const auto rounded = [](const Tensor& x) { return (x * 1000).round() / 1000 + 0.0; };

  const auto rounded_complex = [&](const Tensor& z) {
    return torch::complex(rounded(torch::real(z)), rounded(torch::imag(z)));
  };

  nb.note(
      "The Fourier transform of real numbers is complex. That of an impulse is one everywhere, and a "
      "cosine has two peaks.");

  nb.cell("3");
  const Tensor x = torch::tensor({1.0, 2.0, 0.0, -1.0, 0.5, 3.0, -2.0, 1.0});  // (8)
  const Tensor spectrum = torch::fft::fft(x);                                  // (8)
  nb.print(rounded_complex(spectrum));
  nb.print(spectrum.scalar_type(), torchbook::shape(spectrum));

  nb.cell("4");
  nb.print(rounded_complex(torch::fft::fft(torch::tensor({1.0, 0.0, 0.0, 0.0}))));
  const Tensor wave = torch::cos(6 * std::numbers::pi * torch::arange(16) / 16);  // (16)
  nb.print(torch::fft::fft(wave).abs().round());

  nb.cell("5");
  const Tensor inverse = torch::fft::ifft(spectrum);  // (8)
  nb.print(rounded_complex(inverse));
  nb.print((torch::real(inverse) - x).abs().max() < 1e-6);

  nb.cell("6");
  const Tensor half = torch::fft::rfft(x);  // (5)
  nb.print(rounded_complex(half));
  nb.print(rounded(torch::fft::irfft(half, /*n=*/8)));
  nb.print(rounded_complex(torch::fft::rfft(x, /*n=*/6, /*dim=*/-1, "ortho")));

  nb.note(
      "norm says where the factor goes: to the inverse, to both, or to the forward transform. "
      "Parseval's equation holds with ortho.");

  nb.cell("7");
  nb.print(rounded(torch::fft::fft(x, /*n=*/c10::nullopt, /*dim=*/-1, "ortho").abs().pow(2).sum()),
           x.pow(2).sum());
  nb.print(rounded_complex(torch::fft::fft(x, /*n=*/c10::nullopt, /*dim=*/-1, "forward")[1]), x.mean());
  nb.print(torchbook::shape(torch::fft::fft(x, /*n=*/12)), rounded_complex(torch::fft::fft(x, /*n=*/4)));

  nb.cell("8");
  nb.print(torch::fft::fftfreq(8), torch::fft::rfftfreq(8, /*d=*/0.5, torch::kFloat));
  nb.print(torch::fft::fftshift(torch::fft::fftfreq(8)));
  nb.print(torch::fft::ifftshift(torch::fft::fftshift(torch::arange(7))));

  nb.cell("9");
  const Tensor image = torch::arange(12.0).view({3, 4});  // (3, 4)
  const Tensor plane = torch::fft::fft2(image);           // (3, 4)
  nb.print(rounded_complex(plane.index({Slice(), Slice(None, 2)})));
  nb.print(rounded(torch::real(torch::fft::ifft2(plane))));
  nb.print(torchbook::shape(torch::fft::rfft2(image)), rounded_complex(torch::fft::fftshift(plane)[1][2]));

  nb.cell("10");
  torch::manual_seed(1);
  const Tensor batch = torch::randn({3, 5, 20});  // (3, 5, 20)
  const std::vector<int64_t> sizes = {3, 5, 20}, dims = {0, 2};
  nb.print(rounded(torch::fft::fft(batch, /*n=*/c10::nullopt, /*dim=*/1).abs().index({2, Slice(), 0})));
  nb.print(torchbook::shape(torch::fft::fftn(batch, /*s=*/c10::nullopt, dims)),
           rounded(torch::fft::irfftn(torch::fft::rfftn(batch), sizes).index({0, 0, Slice(None, 4)})));
  nb.print(rounded(torch::fft::hfft(half, /*n=*/8)));

  nb.note("A product of spectra is a circular convolution. Here it shifts the vector by two.");

  nb.cell("11");
  Tensor shift = torch::zeros(8);  // (8)
  shift[2] = 1.0;
  nb.print(rounded(torch::fft::irfft(torch::fft::rfft(x) * torch::fft::rfft(shift), /*n=*/8)));
  nb.print(torch::roll(x, 2));

  nb.cell("12");
  const Tensor signal = torch::sin(torch::arange(64) * 0.5);  // (64)
  const Tensor window = torch::hann_window(16);               // (16)
  const Tensor spans =
      torch::stft(signal, /*n_fft=*/16, /*hop_length=*/8, /*win_length=*/c10::nullopt, window,
                  /*center=*/true, "reflect", /*normalized=*/false,
                  /*onesided=*/c10::nullopt, /*return_complex=*/true);  // (9, 9)
  nb.print(torchbook::shape(spans));
  nb.print(rounded(spans.abs().index({Slice(None, 3), Slice(None, 4)})));
  const Tensor restored =
      torch::istft(spans, /*n_fft=*/16, /*hop_length=*/8, /*win_length=*/c10::nullopt, window);  // (64)
  nb.print((restored - signal).abs().max() < 1e-5);

  nb.note("Complex tensors have the usual arithmetic. Absolute value and angle are real.");

  nb.cell("13");
  const Tensor z = torch::complex(torch::tensor({1.0, -2.0, 0.0}), torch::tensor({2.0, 0.5, -1.0}));  // (3)
  const Tensor w = torch::complex(torch::tensor({0.5, 1.0, 3.0}), torch::tensor({-1.0, 1.0, 4.0}));   // (3)
  nb.display(z);

  nb.cell("14");
  nb.print(z + w, z - w);
  nb.print(rounded_complex(z * w), rounded_complex(z / w));
  nb.print(2 * z, z + 1, -z);

  nb.cell("15");
  nb.print(z.abs(), z.angle());
  nb.print(z.conj(), torch::real(z), torch::imag(z));
  nb.print(rounded_complex(torch::conj(z) * z), z.conj().resolve_conj().is_conj(), z.conj().is_conj());

  nb.cell("16");
  Tensor pairs = torch::view_as_real(z);  // (3, 2)
  nb.print(pairs);
  nb.print(torch::view_as_complex(pairs * 2));
  pairs.index_put_({0, 1}, 7.0);
  nb.print(z);

  nb.cell("17");
  nb.print(
      torch::polar(torch::tensor({1.0, 2.0}), torch::tensor({std::numbers::pi / 3, -std::numbers::pi / 4})));
  nb.print(rounded_complex(torch::exp(w)), rounded_complex(torch::sqrt(w)), rounded_complex(w.pow(2)));
  nb.print(w.is_complex(), w.sum(), w.mean(), rounded_complex(w.prod()));

  nb.cell("18");
  nb.print(w == w.conj(), torch::isreal(w), w.abs().argmax());
  nb.print(w.to(torch::kComplexDouble), torch::sgn(w));

  nb.cell("19");
  // (2, 2)
  const Tensor m =
      torch::complex(torch::tensor({{1.0, 0.0}, {2.0, -1.0}}), torch::tensor({{0.0, 1.0}, {1.0, 3.0}}));
  nb.print(rounded_complex(torch::matmul(m, m.conj().t())));
  nb.print(m.mH(), rounded_complex(torch::linalg_det(m)));
  const Tensor first = w.index({Slice(None, 2)});  // (2)
  nb.print(rounded_complex(torch::matmul(m, first)));

  nb.note("The gradient of a real loss with respect to a complex tensor is complex as well.");

  nb.cell("20");
  const Tensor parameter = z.clone().requires_grad_();     // (3)
  const Tensor loss = (parameter * w).abs().pow(2).sum();  // ()
  loss.backward();
  nb.print(rounded(loss.detach()));
  nb.print(rounded_complex(parameter.grad()));

  nb.cell("21");
  const Tensor time = x.clone().requires_grad_();            // (8)
  const Tensor power = torch::fft::rfft(time).abs().pow(2);  // (5)
  power.index({Slice(1, 3)}).sum().backward();
  nb.print(rounded(power.detach()));
  nb.print(rounded(time.grad()));
}
