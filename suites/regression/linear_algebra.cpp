// Products, inverses and decompositions of matrices, their gradients, and products of large and odd sizes.
// Signs of vectors are fixed before they are printed, and large products are whole or rounded.
#include <torch/torch.h>
#include <torchbook/notebook/notebook.h>
#include <torchbook/training/nn.h>

#include <tuple>

using torch::Tensor;
using torch::indexing::None;
using torch::indexing::Slice;
using torchbook::f;

void linear_algebra(torchbook::Notebook& nb) {
  nb.cell("1");
  // The header at the top of this file stands for the import.

  nb.cell("2");
  const Tensor a = torch::tensor({{4.0, 1.0, 0.0}, {1.0, 3.0, -1.0}, {0.0, -1.0, 2.75}});  // (3, 3)
  const Tensor b = torch::tensor({{1.0, 2.0}, {0.5, -1.0}, {-2.0, 4.0}});                  // (3, 2)
  const Tensor v = torch::tensor({1.0, -2.0, 3.0});                                        // (3)
  nb.display(torch::matmul(a, b));

  nb.note(
      "matmul multiplies vectors, matrices and batches of them. The other products are special cases "
      "with names of their own.");

  nb.cell("3");
  nb.print(torch::matmul(a, v), torch::matmul(v, a), torch::matmul(v, v));
  nb.print(torch::mm(a, b), torch::mv(a, v), torch::dot(v, v));
  nb.print(torch::addmm(torch::ones({3, 2}), a, b, 0.5, 2.0));

  nb.cell("4");
  torch::manual_seed(1);
  const Tensor p = torch::randint(-3, 4, {2, 3, 4}).to(torch::kFloat);  // (2, 3, 4)
  const Tensor q = torch::randint(-3, 4, {2, 4, 2}).to(torch::kFloat);  // (2, 4, 2)
  nb.print(torch::bmm(p, q));
  nb.print(torchbook::shape(torch::matmul(p, q[0])), torchbook::shape(torch::matmul(p.unsqueeze(1), q)));
  nb.print(torch::baddbmm(torch::ones({2, 3, 2}), p, q, /*beta=*/1, -1)[1]);

  nb.cell("5");
  nb.print(torch::einsum("bij,bjk->bik", {p, q})[0]);
  nb.print(torch::einsum("bij,bij->b", {p, p}), torch::einsum("ii->i", {a}),
           torch::einsum("i,j->ij", {v, v}));
  nb.print(torch::einsum("bij,bjk,bk->bi", {p, q, torch::ones({2, 2})}));

  nb.cell("6");
  nb.print(torch::outer(v, v), torch::ger(v, b.index({Slice(), 0})));
  nb.print(torch::kron(torch::eye(2), b));
  nb.print(torch::cross(v, torch::tensor({0.0, 1.0, 1.0}), 0), torch::trace(a));

  nb.cell("7");
  nb.print(torchbook::shape(torch::tensordot(p, q, {2}, {1})), torch::tensordot(a, b, {1}, {0}));
  nb.print(torch::tensordot(p, q, {0, 2}, {0, 1}));
  nb.print(torch::linalg_multi_dot({v, a, b}));

  nb.note(
      "These matrices are small and well-conditioned, so four decimals are the same for any order of "
      "the additions.");

  nb.cell("8");
  nb.print(torch::inverse(a), (torch::matmul(torch::linalg_inv(a), a) - torch::eye(3)).abs().max() < 1e-5);
  nb.print(torch::det(a), torch::linalg_det(a.index({Slice(None, 2), Slice(None, 2)})));

  nb.cell("9");
  const auto [sign, logdet] = torch::linalg_slogdet(-a);  // (), ()
  nb.print(sign, logdet);
  nb.print(torch::logdet(a));

  nb.cell("10");
  nb.print(torch::linalg_solve(a, b));
  nb.print(torch::linalg_solve(a, v), (torch::matmul(a, torch::linalg_solve(a, v)) - v).abs().max() < 1e-5);
  nb.print(torch::linalg_solve_triangular(torch::tril(a), b, /*upper=*/false));

  nb.cell("11");
  const Tensor lower = torch::linalg_cholesky(a);  // (3, 3)
  nb.print(lower);
  nb.print(torch::cholesky_solve(b, lower), torch::cholesky_inverse(lower));

  nb.note(
      "Only the product of the factors is unique. So the signs are fixed before anything is printed: "
      "the diagonal of R is positive, and so is the largest element of an eigenvector.");

  nb.cell("12");
  torch::manual_seed(2);
  const Tensor m = torch::randint(-4, 5, {4, 3}).to(torch::kDouble);  // (4, 3)
  const auto [Q, R] = torch::linalg_qr(m);                            // (4, 3), (3, 3)
  const Tensor signs = torch::sign(torch::diagonal(R));               // (3)
  nb.print(Q * signs);
  nb.print(torch::triu(R * signs.unsqueeze(1)));

  nb.cell("13");
  const auto [U, S, Vh] = torch::linalg_svd(m, /*full_matrices=*/false);  // (4, 3), (3), (3, 3)
  nb.print(S, torch::linalg_svdvals(m.index({Slice(None, 3)})));
  const Tensor flips = torch::sign(U.gather(0, U.abs().argmax(0, /*keepdim=*/true)));  // (1, 3)
  nb.print(U * flips);
  nb.print(Vh * flips.t());

  nb.cell("14");
  const auto [values, vectors] = torch::linalg_eigh(a);  // (3), (3, 3)
  const Tensor fixed = torch::sign(vectors.gather(0, vectors.abs().argmax(0, /*keepdim=*/true)));  // (1, 3)
  nb.print(values, torch::linalg_eigvalsh(a));
  nb.print(vectors * fixed);

  nb.cell("15");
  const Tensor turn = torch::tensor({{0.3, -1.2}, {0.8, 0.3}}, torch::kFloat64);  // (2, 2)
  nb.print(std::get<0>(torch::imag(torch::linalg_eigvals(turn)).sort()));
  nb.print(torch::matrix_exp(turn * 0.5), torch::linalg_matrix_power(turn, 3));

  nb.cell("16");
  torch::manual_seed(4);
  const Tensor points = torch::randint(-5, 6, {8, 2}).to(torch::kDouble);  // (8, 2)
  const Tensor heights =
      torch::matmul(points, torch::tensor({2.0, -1.0}, torch::kFloat64)) + torch::arange(8) * 0.25;  // (8)
  nb.print(std::get<0>(torch::linalg_lstsq(points, heights.unsqueeze(1))).round(/*decimals=*/4));
  nb.print(torch::matmul(torch::linalg_pinv(points), heights));

  nb.cell("17");
  const Tensor singular = torch::tensor({{1.0, 2.0, 3.0}, {2.0, 4.0, 6.0}, {1.0, 0.0, 1.0}});  // (3, 3)
  nb.print(torch::linalg_matrix_rank(singular), torch::linalg_matrix_rank(a));
  nb.print(torch::linalg_pinv(singular));
  nb.print(torch::linalg_cond(a), torch::linalg_norm(a, "nuc"), torch::linalg_norm(a, 2));

  nb.note(
      "Gradients go through decompositions, too. That of the logarithm of a determinant is the "
      "transposed inverse.");

  nb.cell("18");
  Tensor w = a.clone().requires_grad_();  // (3, 3)
  torch::logdet(w).backward();
  nb.print(w.grad(), torch::allclose(w.grad(), torch::inverse(a).t()));

  nb.cell("19");
  w = a.clone().requires_grad_();                                 // (3, 3)
  const Tensor squares = torch::linalg_solve(w, v).pow(2).sum();  // ()
  const Tensor loss = squares + torch::linalg_eigvalsh(w).max();  // ()
  loss.backward();
  nb.print(loss.detach());
  nb.print(w.grad());

  nb.note(
      "Products of large matrices go to the library of linear algebra, whose kernels add in an order "
      "of their own. Whole numbers make every order give the same sum. Of the others, a few digits are "
      "printed.");

  nb.cell("20");
  torch::manual_seed(6);
  const Tensor big = torch::randint(-8, 9, {512, 512}).to(torch::kFloat);  // (512, 512)
  const Tensor square = torch::matmul(big, big);                           // (512, 512)
  nb.print(square.to(torch::kDouble).sum(), square.index({0, Slice(None, 5)}),
           square.index({511, Slice(507, None)}));

  nb.cell("21");
  const Tensor odd = torch::randint(-8, 9, {127, 253}).to(torch::kFloat);   // (127, 253)
  const Tensor other = torch::randint(-8, 9, {253, 65}).to(torch::kFloat);  // (253, 65)
  const Tensor product = torch::matmul(odd, other);                         // (127, 65)
  nb.print(torchbook::shape(product), product.to(torch::kDouble).sum(),
           product.index({126, Slice(60, None)}));
  nb.print(torch::matmul(odd.t(), odd).trace(),
           (torch::matmul(other.t(), odd.t()) - product.t()).abs().max());

  nb.cell("22");
  torch::manual_seed(8);
  const Tensor left = torch::randn({127, 253});  // (127, 253)
  const Tensor right = torch::randn({253, 65});  // (253, 65)
  nb.print(f(
      "{:.1f} {:.2f}", torch::matmul(left, right).to(torch::kDouble).sum().item<double>(),
      torchbook::nn::norm(torch::matmul(left, right.index({Slice(), 0})).to(torch::kDouble)).item<double>()));
  nb.print(torch::round(torch::matmul(left, right).index({Slice(None, 3), Slice(None, 4)}), 2));
  nb.print(torch::round(torch::bmm(left.view({1, 127, 253}).expand({3, 127, 253}), right.expand({3, 253, 65}))
                            .index({2, 5, Slice(None, 4)}),
                        2));

  nb.cell("23");
  const Tensor wide = torch::randint(-100, 100, {33, 77});  // (33, 77)
  nb.print(torch::matmul(wide, wide.t()).sum(), torch::matmul(wide, wide.t()).index({0, Slice(None, 6)}));
  nb.print(torch::matmul(wide.to(torch::kDouble), wide.to(torch::kDouble).t()).logdet().item<double>() > 0);
}
