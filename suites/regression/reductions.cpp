// Reductions over all elements and over dimensions: sums, means, maxima, sorting, counting, norms and all or
// any. The elements are whole or few, so that the order of additions cannot show.
#include <torch/torch.h>
#include <torchbook/notebook/notebook.h>
#include <torchbook/training/nn.h>

#include <limits>
#include <tuple>

using torch::Tensor;
using torch::indexing::None;
using torch::indexing::Slice;

void reductions(torchbook::Notebook& nb) {
  nb.cell("1");
  // The header at the top of this file stands for the import.

  nb.cell("2");
  torch::manual_seed(5);
  const Tensor x = torch::randint(-9, 10, {3, 4, 5}).to(torch::kFloat);  // (3, 4, 5)
  nb.display(x[0]);

  nb.note(
      "Sums and means go over all elements, one dimension or several. keepdim leaves dimensions of "
      "length one.");

  nb.cell("3");
  nb.print(x.sum(), x.sum(1));
  nb.print(x.sum(torch::IntArrayRef{0, 2}), x.sum(torch::IntArrayRef{1, 2}, /*keepdim=*/true));
  nb.print((x > 0).sum(0), x.to(torch::kInt).sum(-1));

  nb.cell("4");
  nb.print(x.mean(), x.mean(2));
  nb.print(x.mean(torch::IntArrayRef{0, 1}, /*keepdim=*/true));
  nb.print(x.to(torch::kInt).to(torch::kDouble).mean(0)[0]);

  nb.cell("5");
  nb.print(x.var(), x.std(0)[0]);
  nb.print(x.var(1, /*unbiased=*/false));
  nb.print(torch::std(x, torch::IntArrayRef{0, 2}, /*unbiased=*/true, /*keepdim=*/true).squeeze());

  nb.cell("6");
  const auto [variance, mean] = torch::var_mean(x, 2);  // (3, 4), (3, 4)
  nb.print(variance);
  nb.print(mean);

  nb.cell("7");
  const Tensor small = torch::tensor({{1.5, -2.0, 0.5}, {4.0, 0.25, -3.0}});  // (2, 3)
  nb.print(small.prod(), small.prod(1), torch::prod(small, 0, /*keepdim=*/true));
  nb.print(small.cumsum(0), small.cumsum(1));
  nb.print(torch::cumprod(small, 1));
  nb.print(torch::logcumsumexp(small.to(torch::kDouble), 1));

  nb.cell("8");
  nb.print(torch::logsumexp(small, 1),
           torch::logsumexp(torch::tensor({1000.0, 1000.0}), 0, /*keepdim=*/true));
  nb.print(small.logsumexp(torch::IntArrayRef{0, 1}));

  nb.note(
      "A maximum along a dimension has a value and a position. If several elements are the largest, "
      "PyTorch does not promise which position it returns, so no row here has its largest element "
      "twice. amax returns values only, and shares the gradient between equal elements.");

  nb.cell("9");
  torch::manual_seed(3);
  const Tensor shuffled = torch::randperm(24).view({4, 6});  // (4, 6)
  nb.print(shuffled);
  nb.print(torchbook::return_type("max", {"values", "indices"}, shuffled.max(1)));
  const auto [smallest, rows] = shuffled.min(0);  // (6), (6)
  nb.print(smallest, rows);

  nb.cell("10");
  nb.print(shuffled.max(), shuffled.min(), shuffled.argmax(), shuffled.argmin(1),
           shuffled.argmax(0, /*keepdim=*/true));
  nb.print(shuffled.amax({0, 1}), shuffled.amin(1, /*keepdim=*/true));
  nb.print(torchbook::return_type("aminmax", {"min", "max"}, torch::aminmax(shuffled, 1)));

  nb.cell("11");
  // (2, 4)
  const Tensor tied = torch::tensor({{2.0, 5.0, 5.0, 1.0}, {7.0, 0.0, 3.0, 7.0}}, torch::requires_grad());
  tied.amax(1).sum().backward();
  nb.print(tied.grad());
  nb.print(torch::maximum(tied.detach(), torch::full({4}, 3.0)));

  nb.cell("12");
  const auto [middle, columns] = shuffled.median(1);  // (4), (4)
  nb.print(middle, columns);
  nb.print(shuffled.median(),
           torch::tensor({1.0, std::numeric_limits<double>::quiet_NaN(), 3.0}).nanmedian());
  nb.print(std::get<0>(torch::tensor({{1, 2, 2, 3}, {3, 3, 1, 3}}).mode(1)));

  nb.cell("13");
  nb.print(shuffled.to(torch::kDouble).quantile(0.25),
           shuffled.to(torch::kDouble).quantile(torch::tensor({0.1, 0.5, 0.9}, torch::kFloat64), 1));
  nb.print(torchbook::return_type("cummax", {"values", "indices"}, torch::cummax(shuffled[1], 0)));
  nb.print(std::get<1>(torch::cummin(shuffled[2], 0)));

  nb.note("A stable sort keeps the order of equal elements, in both directions.");

  nb.cell("14");
  const Tensor keys = torch::tensor({3, 1, 2, 3, 1, 2, 3, 0});  // (8)
  const auto [falling, places] =
      torch::sort(keys, /*stable=*/true, /*dim=*/-1, /*descending=*/true);  // (8), (8)
  nb.print(falling, places);
  nb.print(std::get<1>(torch::sort(keys, /*stable=*/true, /*dim=*/-1, /*descending=*/false)));

  nb.cell("15");
  const auto [columns_sorted, order] = shuffled.sort(0, /*descending=*/true);  // (4, 6), (4, 6)
  nb.print(columns_sorted);
  nb.print(order);
  nb.print(torch::argsort(shuffled, /*dim=*/int64_t{1}));

  nb.cell("16");
  const auto [top, top_indices] = shuffled.topk(2, 1);  // (4, 2), (4, 2)
  nb.print(top, top_indices);
  nb.print(std::get<0>(torch::topk(shuffled.flatten(), 3, /*dim=*/-1, /*largest=*/false)));
  const auto [third, third_indices] = shuffled.kthvalue(3, 1, /*keepdim=*/true);  // (4, 1), (4, 1)
  nb.print(third, third_indices);

  nb.cell("17");
  torch::manual_seed(11);
  const Tensor scores = torch::randn({5, 40}, torch::requires_grad());  // (5, 40)
  const auto [best, best_indices] = scores.topk(3);                     // (5, 3), (5, 3)
  best.sum().backward();
  nb.print(best.detach());
  nb.print(torch::equal(scores.grad().nonzero().index({Slice(), 1}).view({5, 3}),
                        std::get<0>(best_indices.sort(1))),
           scores.grad().sum(1));

  nb.note("The next cells count: unique elements, frequencies of whole numbers, and histograms.");

  nb.cell("18");
  const auto [found, inverse, counts] = torch::_unique2(keys, /*sorted=*/true, /*return_inverse=*/true,
                                                        /*return_counts=*/true);  // (4), (8), (4)
  nb.print(found, inverse, counts);
  const Tensor pairs = torch::tensor({{1, 2}, {0, 5}, {1, 2}, {0, 4}});  // (4, 2)
  nb.print(std::get<0>(torch::unique_dim(pairs, 0)));
  const auto consecutive = torch::unique_consecutive(torch::tensor({1, 1, 2, 2, 2, 1}),
                                                     /*return_inverse=*/false, /*return_counts=*/true);
  const Tensor runs = std::get<0>(consecutive);     // (3)
  const Tensor lengths = std::get<2>(consecutive);  // (3)
  nb.print(runs, lengths);

  nb.cell("19");
  nb.print(torch::bincount(keys), torch::bincount(keys, /*weights=*/c10::nullopt, 6));
  nb.print(torch::bincount(keys, torch::arange(8.0)));
  torch::manual_seed(13);
  nb.print(torch::histc(torch::rand(1000), 8, 0, 1));

  nb.cell("20");
  const Tensor edges = torch::tensor({1.0, 3.0, 5.0, 7.0});  // (4)
  nb.print(torch::searchsorted(edges, torch::tensor({{0.0, 3.0}, {6.5, 9.0}})));
  nb.print(torch::searchsorted(edges, torch::tensor({3.0, 7.0}), /*out_int32=*/false, /*right=*/true));
  nb.print(torch::bucketize(torch::tensor({2.0, 5.0, 7.5}), edges));

  nb.note(
      "A norm is a reduction, too. A norm of order one is a sum of absolute values, that of order "
      "infinity their maximum.");

  nb.cell("21");
  const Tensor steps = torch::arange(-6.0, 6.0).view({3, 4});  // (3, 4)
  nb.print(torchbook::nn::norm(steps), torchbook::nn::norm(steps, std::nullopt, {1}),
           torchbook::nn::norm(steps, 1, {0}));
  nb.print(torch::linalg_vector_norm(steps, 3, 1),
           torch::linalg_norm(steps, std::numeric_limits<double>::infinity()));
  nb.print(torch::linalg_matrix_norm(steps, 1), torch::dist(steps, torch::zeros({3, 4}), 1));

  nb.note(
      "all and any reduce booleans. Of no elements, all is true and any is false, the sum is zero and "
      "the product one.");

  nb.cell("22");
  nb.print((steps > -7).all(), (steps > 4).any(1), (steps < 2).all(0, /*keepdim=*/true));
  nb.print(torch::tensor({0, 2}).any(), torch::tensor({0, 2}, torch::kUInt8).all());
  nb.print(torch::any(torch::zeros({0, 3}), 0), torch::all(torch::zeros({0, 3}, torch::kBool), 0));

  nb.cell("23");
  nb.print(torch::nansum(torch::tensor({1.0, std::numeric_limits<double>::quiet_NaN(), 2.5})),
           torch::tensor({1.0, std::numeric_limits<double>::quiet_NaN()}).nanmean());
  nb.print(torch::zeros(0).sum(), torch::zeros({0, 2}).prod(0), torch::zeros({3, 0}).sum(1));
  nb.print(torch::tensor({3.0, std::numeric_limits<double>::quiet_NaN(), 5.0}).max(),
           torch::tensor({3.0, std::numeric_limits<double>::quiet_NaN(), 5.0}).argmax());

  nb.note("A sum of many whole numbers is the same in every order, as long as a float can hold it.");

  nb.cell("24");
  torch::manual_seed(17);
  const Tensor big = torch::randint(0, 100, {70, 90, 11});  // (70, 90, 11)
  nb.print(big.sum(), big.sum(torch::IntArrayRef{0, 1}));
  nb.print(big.to(torch::kFloat).sum(),
           big.to(torch::kDouble).mean(torch::IntArrayRef{0, 2}).index({Slice(None, 4)}));
  nb.print(big.to(torch::kHalf).sum(2).index({0, Slice(None, 5)}), big.amax({0, 1}),
           big.to(torch::kDouble).var());
}
