# Twin of spectra.cpp: the same 21 cells in PyTorch, with the same labels.

# %% [1]
import torch
import math


# %% [2]
def rounded(x):
    return (x * 1000).round() / 1000 + 0.0

def rounded_complex(z):
    return torch.complex(rounded(z.real), rounded(z.imag))


# %% [3]
x = torch.tensor([1.0, 2.0, 0.0, -1.0, 0.5, 3.0, -2.0, 1.0])
spectrum = torch.fft.fft(x)
print(rounded_complex(spectrum))
print(spectrum.dtype, spectrum.shape)

# %% [4]
print(rounded_complex(torch.fft.fft(torch.tensor([1.0, 0.0, 0.0, 0.0]))))
wave = torch.cos(6 * math.pi * torch.arange(16) / 16)
print(torch.fft.fft(wave).abs().round())

# %% [5]
inverse = torch.fft.ifft(spectrum)
print(rounded_complex(inverse))
print((inverse.real - x).abs().max() < 1e-6)

# %% [6]
half = torch.fft.rfft(x)
print(rounded_complex(half))
print(rounded(torch.fft.irfft(half, n=8)))
print(rounded_complex(torch.fft.rfft(x, n=6, norm="ortho")))

# %% [7]
print(rounded(torch.fft.fft(x, norm="ortho").abs().pow(2).sum()), x.pow(2).sum())
print(rounded_complex(torch.fft.fft(x, norm="forward")[1]), x.mean())
print(torch.fft.fft(x, n=12).shape, rounded_complex(torch.fft.fft(x, n=4)))

# %% [8]
print(torch.fft.fftfreq(8), torch.fft.rfftfreq(8, d=0.5))
print(torch.fft.fftshift(torch.fft.fftfreq(8)))
print(torch.fft.ifftshift(torch.fft.fftshift(torch.arange(7))))

# %% [9]
image = torch.arange(12.0).view(3, 4)
plane = torch.fft.fft2(image)
print(rounded_complex(plane[:, :2]))
print(rounded(torch.fft.ifft2(plane).real))
print(torch.fft.rfft2(image).shape, rounded_complex(torch.fft.fftshift(plane)[1, 2]))

# %% [10]
torch.manual_seed(1)
batch = torch.randn(3, 5, 20)
print(rounded(torch.fft.fft(batch, dim=1).abs()[2, :, 0]))
print(
    torch.fft.fftn(batch, dim=(0, 2)).shape,
    rounded(torch.fft.irfftn(torch.fft.rfftn(batch), s=(3, 5, 20))[0, 0, :4]),
)
print(rounded(torch.fft.hfft(half, n=8)))

# %% [11]
shift = torch.zeros(8)
shift[2] = 1.0
print(rounded(torch.fft.irfft(torch.fft.rfft(x) * torch.fft.rfft(shift), n=8)))
print(torch.roll(x, 2))

# %% [12]
signal = torch.sin(torch.arange(64) * 0.5)
window = torch.hann_window(16)
spans = torch.stft(signal, n_fft=16, hop_length=8, window=window, return_complex=True)
print(spans.shape)
print(rounded(spans.abs()[:3, :4]))
print((torch.istft(spans, n_fft=16, hop_length=8, window=window) - signal).abs().max() < 1e-5)

# %% [13]
z = torch.complex(torch.tensor([1.0, -2.0, 0.0]), torch.tensor([2.0, 0.5, -1.0]))
w = torch.complex(torch.tensor([0.5, 1.0, 3.0]), torch.tensor([-1.0, 1.0, 4.0]))
z

# %% [14]
print(z + w, z - w)
print(rounded_complex(z * w), rounded_complex(z / w))
print(2 * z, z + 1, -z)

# %% [15]
print(z.abs(), z.angle())
print(z.conj(), z.real, z.imag)
print(rounded_complex(torch.conj(z) * z), z.conj().resolve_conj().is_conj(), z.conj().is_conj())

# %% [16]
pairs = torch.view_as_real(z)
print(pairs)
print(torch.view_as_complex(pairs * 2))
pairs[0, 1] = 7.0
print(z)

# %% [17]
print(torch.polar(torch.tensor([1.0, 2.0]), torch.tensor([math.pi / 3, -math.pi / 4])))
print(rounded_complex(torch.exp(w)), rounded_complex(torch.sqrt(w)), rounded_complex(w.pow(2)))
print(w.is_complex(), w.sum(), w.mean(), rounded_complex(w.prod()))

# %% [18]
print(w == w.conj(), torch.isreal(w), w.abs().argmax())
print(w.to(torch.complex128), torch.sgn(w))

# %% [19]
m = torch.complex(torch.tensor([[1.0, 0.0], [2.0, -1.0]]), torch.tensor([[0.0, 1.0], [1.0, 3.0]]))
print(rounded_complex(m @ m.conj().t()))
print(m.mH, rounded_complex(torch.linalg.det(m)))
print(rounded_complex(torch.matmul(m, w[:2])))

# %% [20]
parameter = z.clone().requires_grad_()
loss = (parameter * w).abs().pow(2).sum()
loss.backward()
print(rounded(loss.detach()))
print(rounded_complex(parameter.grad))

# %% [21]
time = x.clone().requires_grad_()
power = torch.fft.rfft(time).abs().pow(2)
power[1:3].sum().backward()
print(rounded(power.detach()))
print(rounded(time.grad))
