// Losses in C++: their values with several reductions and options, and the gradients of their inputs.
// Most are functions of torch in both languages; options of the others are in an object, as
// `F::KLDivFuncOptions`.
#include <torch/torch.h>
#include <torchbook/notebook/notebook.h>
#include <torchbook/training/nn.h>

#include <tuple>
#include <vector>

using torch::Tensor;
using torch::indexing::None;
using torch::indexing::Slice;
using torchbook::f;
namespace F = torch::nn::functional;

void losses(torchbook::Notebook& nb) {
  nb.cell("1");
  // Nothing to do: the headers were included above.

  nb.note(
      "Regression compares numbers with numbers. The squared error grows fastest. The smooth ones are "
      "squared near 0 and straight beyond.");

  nb.cell("2");
  torch::manual_seed(21);
  const Tensor prediction = torch::randn({3, 4});  // (3, 4)
  const Tensor target = torch::randn({3, 4});      // (3, 4)
  nb.display(prediction - target);

  nb.cell("3");
  nb.print(torch::mse_loss(prediction, target), torch::mse_loss(prediction, target, at::Reduction::Sum));
  nb.display(torch::mse_loss(prediction, target, at::Reduction::None));

  nb.cell("4");
  Tensor learned = prediction.clone().requires_grad_();  // (3, 4)
  torch::mse_loss(learned, target).backward();
  nb.print(torch::allclose(learned.grad(), 2 * (prediction - target) / 12, /*rtol=*/1e-5, 1e-6));
  nb.display(learned.grad());

  nb.cell("5");
  nb.print(torch::l1_loss(prediction, target),
           torch::nn::L1Loss(torch::nn::L1LossOptions().reduction(torch::kSum))(prediction, target));
  learned = prediction.clone().requires_grad_();  // (3, 4)
  torch::l1_loss(learned, target, at::Reduction::Sum).backward();
  nb.display(learned.grad());

  nb.cell("6");
  nb.print(torch::smooth_l1_loss(prediction, target),
           torch::smooth_l1_loss(prediction, target, /*reduction=*/1, 0.5));
  nb.print(torch::smooth_l1_loss(prediction, target, at::Reduction::None)[0]);
  learned = prediction.clone().requires_grad_();  // (3, 4)
  torch::smooth_l1_loss(learned, target, /*reduction=*/1, 0.5).backward();
  nb.display(learned.grad());

  nb.cell("7");
  torch::nn::HuberLoss huber(torch::nn::HuberLossOptions().delta(2.0));
  nb.print(F::huber_loss(prediction, target, F::HuberLossFuncOptions().delta(0.5)),
           huber(prediction, target));
  learned = prediction.clone().requires_grad_();  // (3, 4)
  F::huber_loss(learned, target, F::HuberLossFuncOptions().delta(0.5).reduction(torch::kSum)).backward();
  nb.display(learned.grad());

  nb.note(
      "Cross entropy takes scores and the numbers of the right classes. It is the negative logarithm of the "
      "softmax of the right one, and its gradient is the softmax minus 1 at the right class.");

  nb.cell("8");
  torch::manual_seed(22);
  const Tensor scores = torch::randn({4, 5});         // (4, 5)
  const Tensor labels = torch::tensor({1, 0, 4, 2});  // (4)
  nb.print(torch::cross_entropy_loss(scores, labels));
  nb.print(torch::cross_entropy_loss(scores, labels, /*weight=*/c10::nullopt, at::Reduction::None));
  nb.display(torch::cross_entropy_loss(scores, labels, /*weight=*/c10::nullopt, at::Reduction::Sum));

  nb.cell("9");
  const Tensor log_probabilities = torch::log_softmax(scores, -1);              // (4, 5)
  const Tensor by_hand = -log_probabilities.index({torch::arange(4), labels});  // (4)
  nb.print(by_hand);
  nb.print(torch::allclose(by_hand.mean(), torch::cross_entropy_loss(scores, labels)));

  nb.cell("10");
  learned = scores.clone().requires_grad_();  // (4, 5)
  torch::cross_entropy_loss(learned, labels).backward();
  nb.print(torch::allclose(learned.grad(), (torch::softmax(scores, -1) - torch::one_hot(labels, 5)) / 4,
                           /*rtol=*/1e-5, 1e-6));
  nb.display(learned.grad());

  nb.note(
      "Classes may have weights, and the mean is then a weighted one. Rows with the ignored label do not "
      "count. Label smoothing moves a part of the target to all classes.");

  nb.cell("11");
  const Tensor weight = torch::tensor({1.0, 2.0, 0.5, 1.0, 3.0});  // (5)
  nb.print(torch::cross_entropy_loss(scores, labels, weight));
  nb.print(torch::cross_entropy_loss(scores, labels, weight, at::Reduction::Sum));
  nb.print((by_hand * weight.index({labels})).sum() / weight.index({labels}).sum());
  learned = scores.clone().requires_grad_();  // (4, 5)
  torch::cross_entropy_loss(learned, labels, weight).backward();
  nb.display(learned.grad());

  nb.cell("12");
  const Tensor ignored = torch::tensor({1, -100, 4, -100});  // (4)
  nb.print(torch::cross_entropy_loss(scores, ignored));
  nb.print(torch::cross_entropy_loss(scores, labels, /*weight=*/c10::nullopt, /*reduction=*/1, 2));
  learned = scores.clone().requires_grad_();  // (4, 5)
  torch::cross_entropy_loss(learned, ignored).backward();
  nb.display(learned.grad());

  nb.cell("13");
  nb.print(torch::cross_entropy_loss(scores, labels, /*weight=*/c10::nullopt, /*reduction=*/1,
                                     /*ignore_index=*/-100, 0.1));
  nb.print(torch::nn::CrossEntropyLoss(
      torch::nn::CrossEntropyLossOptions().reduction(torch::kSum).label_smoothing(0.2))(scores, labels));
  learned = scores.clone().requires_grad_();  // (4, 5)
  torch::cross_entropy_loss(learned, labels, /*weight=*/c10::nullopt, /*reduction=*/1, /*ignore_index=*/-100,
                            0.1)
      .backward();
  nb.display(learned.grad());

  nb.note(
      "Targets may also be probabilities, and scores may have dimensions behind the classes, as for each "
      "pixel of an image.");

  nb.cell("14");
  const Tensor soft = torch::softmax(torch::arange(20.0).view({4, 5}) / 5, -1);  // (4, 5)
  nb.print(torch::cross_entropy_loss(scores, soft));
  nb.display(-(soft * log_probabilities).sum(-1));

  nb.cell("15");
  const Tensor pixels = scores.view({1, 5, 2, 2});                 // (1, 5, 2, 2)
  const Tensor map_of_labels = torch::tensor({{{0, 3}, {1, 4}}});  // (1, 2, 2)
  nb.display(torch::cross_entropy_loss(pixels, map_of_labels, /*weight=*/c10::nullopt, at::Reduction::None));

  nb.cell("16");
  nb.print(torch::nll_loss(log_probabilities, labels));
  nb.print(torch::nll_loss(log_probabilities, labels, weight, at::Reduction::None));
  torch::nn::NLLLoss without_0(torch::nn::NLLLossOptions().ignore_index(0));
  nb.print(without_0(log_probabilities, labels));
  learned = log_probabilities.clone().requires_grad_();  // (4, 5)
  torch::nll_loss(learned, labels, weight).backward();
  nb.display(learned.grad());

  nb.note("Binary cross entropy takes probabilities or logits. The latter is safer for large numbers.");

  nb.cell("17");
  const Tensor logits = torch::tensor({0.8, -1.2, 2.5, 0.1});  // (4)
  const Tensor truth = torch::tensor({1.0, 0.0, 0.0, 1.0});    // (4)
  const Tensor probability = torch::sigmoid(logits);           // (4)
  nb.print(torch::binary_cross_entropy(probability, truth));
  nb.print(torch::binary_cross_entropy(probability, truth, torch::tensor({1.0, 2.0, 3.0, 4.0}),
                                       at::Reduction::None));
  learned = probability.clone().requires_grad_();  // (4)
  torch::binary_cross_entropy(learned, truth).backward();
  nb.display(learned.grad());

  nb.cell("18");
  nb.print(torch::binary_cross_entropy_with_logits(logits, truth));
  nb.print(torch::binary_cross_entropy_with_logits(logits, truth, /*weight=*/c10::nullopt, torch::tensor(3.0),
                                                   at::Reduction::None));
  learned = logits.clone().requires_grad_();  // (4)
  torch::binary_cross_entropy_with_logits(learned, truth, /*weight=*/c10::nullopt, torch::tensor(3.0))
      .backward();
  nb.display(learned.grad());

  nb.cell("19");
  nb.display(torch::nn::BCEWithLogitsLoss(torch::nn::BCEWithLogitsLossOptions().reduction(torch::kSum))(
      logits, torch::full({4}, 0.3)));

  nb.note(
      "The divergence takes the logarithms of one distribution, and the other as it is or as logarithms, "
      "too.");

  nb.cell("20");
  const Tensor p = torch::log_softmax(scores.index({Slice(None, 2)}), -1);  // (2, 5)
  const Tensor q = torch::softmax(scores.index({Slice(2, None)}), -1);      // (2, 5)
  const auto of_batch = F::KLDivFuncOptions().reduction(torch::kBatchMean);
  nb.print(F::kl_div(p, q, of_batch), F::kl_div(p, q, F::KLDivFuncOptions().reduction(torch::kSum)));
  nb.print(F::kl_div(p, q.log(), F::KLDivFuncOptions().reduction(torch::kBatchMean).log_target(true)));
  learned = p.clone().requires_grad_();  // (2, 5)
  F::kl_div(learned, q, of_batch).backward();
  nb.display(learned.grad());

  nb.cell("21");
  nb.display(F::kl_div(p, q, F::KLDivFuncOptions().reduction(torch::kNone)));

  nb.note("Losses with a margin are 0 as soon as the right answer leads by the margin.");

  nb.cell("22");
  const Tensor signs = torch::tensor({1.0, -1.0, 1.0, -1.0});   // (4)
  const Tensor distance = torch::tensor({0.3, 0.4, 1.2, 1.7});  // (4)
  nb.print(F::hinge_embedding_loss(distance, signs));
  const auto wide = F::HingeEmbeddingLossFuncOptions().margin(2.0);
  nb.print(F::hinge_embedding_loss(distance, signs,
                                   F::HingeEmbeddingLossFuncOptions(wide).reduction(torch::kNone)));
  learned = distance.clone().requires_grad_();  // (4)
  F::hinge_embedding_loss(learned, signs, wide).backward();
  nb.display(learned.grad());

  nb.cell("23");
  nb.display(
      std::make_tuple(torch::clamp(1 - signs * logits, /*min=*/0), F::soft_margin_loss(logits, signs)));

  nb.cell("24");
  nb.print(F::multi_margin_loss(scores, labels),
           F::multi_margin_loss(scores, labels, F::MultiMarginLossFuncOptions().p(2).margin(0.5)));
  learned = scores.clone().requires_grad_();  // (4, 5)
  F::multi_margin_loss(learned, labels).backward();
  nb.display(learned.grad());

  nb.cell("25");
  const Tensor first = torch::tensor({0.5, 1.5, -0.2, 0.9});  // (4)
  const Tensor second = torch::tensor({0.7, 0.6, 0.3, 1.1});  // (4)
  const auto margin = F::MarginRankingLossFuncOptions().margin(0.1);
  nb.print(F::margin_ranking_loss(first, second, signs, margin));
  nb.print(F::margin_ranking_loss(first, second, signs,
                                  F::MarginRankingLossFuncOptions().reduction(torch::kNone)));
  learned = first.clone().requires_grad_();  // (4)
  F::margin_ranking_loss(learned, second, signs, margin).backward();
  nb.display(learned.grad());

  nb.note("Embeddings are compared by their angle or their distance.");

  nb.cell("26");
  nb.print(torch::cosine_similarity(prediction, target, 1));
  nb.print(F::cosine_embedding_loss(prediction, target, torch::tensor({1, -1, 1})));
  const auto each = F::CosineEmbeddingLossFuncOptions().margin(-0.5).reduction(torch::kNone);
  nb.print(F::cosine_embedding_loss(prediction, target, torch::tensor({1, -1, -1}), each));
  learned = prediction.clone().requires_grad_();  // (3, 4)
  F::cosine_embedding_loss(learned, target, torch::tensor({1, -1, 1}),
                           F::CosineEmbeddingLossFuncOptions().margin(-0.9))
      .backward();
  nb.display(learned.grad());

  nb.cell("27");
  torch::manual_seed(23);
  const Tensor anchor = torch::randn({3, 4});                   // (3, 4)
  const Tensor positive = anchor + torch::randn({3, 4}) * 0.8;  // (3, 4)
  const Tensor negative = torch::randn({3, 4});                 // (3, 4)
  nb.print(torch::pairwise_distance(anchor, positive), torch::pairwise_distance(anchor, negative));
  using Triplet = F::TripletMarginLossFuncOptions;
  nb.print(F::triplet_margin_loss(anchor, positive, negative));
  nb.print(F::triplet_margin_loss(anchor, positive, negative,
                                  Triplet().margin(2.0).p(1.0).reduction(torch::kNone)));
  nb.print(F::triplet_margin_loss(anchor, positive, negative, Triplet().swap(true)));
  learned = anchor.clone().requires_grad_();  // (3, 4)
  F::triplet_margin_loss(learned, positive, negative, Triplet().margin(2.0)).backward();
  nb.display(learned.grad().index({Slice(None, 2)}));

  nb.note("Counts, several labels at once, and sequences without an alignment: CTC adds up all alignments.");

  nb.cell("28");
  nb.print(F::poisson_nll_loss(logits, torch::tensor({1.0, 0.0, 5.0, 2.0})));
  const auto full = F::PoissonNLLLossFuncOptions().log_input(false).full(true);
  nb.print(F::poisson_nll_loss(probability, torch::tensor({1.0, 0.0, 5.0, 2.0}), full));
  nb.display(prediction.exp().sum(0));

  nb.cell("29");
  // (3, 4)
  const Tensor multi = torch::tensor({{1.0, 0.0, 1.0, 0.0}, {0.0, 1.0, 1.0, 0.0}, {0.0, 0.0, 0.0, 1.0}});
  nb.print(F::multilabel_soft_margin_loss(prediction, multi));
  const auto each_row = F::MultilabelSoftMarginLossFuncOptions().reduction(torch::kNone);
  nb.print(F::multilabel_soft_margin_loss(prediction, multi, each_row));
  nb.display(F::multilabel_margin_loss(prediction,
                                       torch::tensor({{0, 2, -1, -1}, {1, 2, -1, -1}, {3, -1, -1, -1}})));

  nb.cell("30");
  torch::manual_seed(24);
  const Tensor steps = torch::log_softmax(torch::randn({6, 2, 4}), -1);               // (6, 2, 4)
  const Tensor sequences = torch::tensor({{1, 2, 3}, {2, 2, 0}});                     // (2, 3)
  const Tensor step_counts = torch::tensor({6, 5}), lengths = torch::tensor({3, 2});  // (2), (2)
  nb.print(F::ctc_loss(steps, sequences, step_counts, lengths));
  nb.print(
      F::ctc_loss(steps, sequences, step_counts, lengths, F::CTCLossFuncOptions().reduction(torch::kNone)));
  learned = steps.clone().requires_grad_();  // (6, 2, 4)
  F::ctc_loss(learned, sequences, step_counts, lengths, F::CTCLossFuncOptions().reduction(torch::kSum))
      .backward();
  nb.display(learned.grad().index({Slice(), 0}));

  nb.note(
      "At last, a linear layer is trained with one loss after the other. In C++, `torch::nn::AnyModule` "
      "holds any loss.");

  nb.cell("31");
  torch::manual_seed(25);
  torchbook::nn::Linear linear(4, 5);
  const Tensor inputs = torch::randn({4, 4});  // (4, 4)
  torch::optim::SGD optimizer(linear->parameters(), torch::optim::SGDOptions(0.5));
  const torch::nn::CrossEntropyLoss smoothed(torch::nn::CrossEntropyLossOptions().label_smoothing(0.1));
  for (torch::nn::AnyModule criterion :
       {torch::nn::AnyModule(torch::nn::CrossEntropyLoss()),
        torch::nn::AnyModule(torch::nn::MultiMarginLoss()), torch::nn::AnyModule(smoothed)}) {
    for (int64_t step = 0; step < 3; ++step) {
      const Tensor loss = criterion.forward(linear(inputs), labels);
      optimizer.zero_grad();
      loss.backward();
      optimizer.step();
      nb.print(f("{:.4f}", loss.item()), torchbook::end(" "));
    }
    nb.print();
  }
  nb.display(linear->weight.detach());
}
