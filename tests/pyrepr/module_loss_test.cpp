// Tests the text of losses and distances, which show none of their options.
#include <gtest/gtest.h>
#include <torch/nn/modules/distance.h>
#include <torch/nn/modules/loss.h>
#include <torchbook/pyrepr/module.h>

#include "judged.h"

namespace torchbook::pyrepr {
namespace {

namespace nn = torch::nn;

TEST(ModuleLoss, ShowsNothing) {
  EXPECT_REPR("nn.BCELoss()", nn::BCELoss(), "BCELoss()");
  EXPECT_REPR("nn.BCEWithLogitsLoss()", nn::BCEWithLogitsLoss(), "BCEWithLogitsLoss()");
  EXPECT_REPR("nn.CTCLoss()", nn::CTCLoss(), "CTCLoss()");
  EXPECT_REPR("nn.CosineEmbeddingLoss()", nn::CosineEmbeddingLoss(), "CosineEmbeddingLoss()");
  EXPECT_REPR("nn.CrossEntropyLoss()", nn::CrossEntropyLoss(), "CrossEntropyLoss()");
  EXPECT_REPR("nn.HingeEmbeddingLoss()", nn::HingeEmbeddingLoss(), "HingeEmbeddingLoss()");
  EXPECT_REPR("nn.HuberLoss()", nn::HuberLoss(), "HuberLoss()");
  EXPECT_REPR("nn.KLDivLoss()", nn::KLDivLoss(), "KLDivLoss()");
  EXPECT_REPR("nn.L1Loss()", nn::L1Loss(), "L1Loss()");
  EXPECT_REPR("nn.MSELoss()", nn::MSELoss(), "MSELoss()");
  EXPECT_REPR("nn.MarginRankingLoss()", nn::MarginRankingLoss(), "MarginRankingLoss()");
  EXPECT_REPR("nn.MultiLabelMarginLoss()", nn::MultiLabelMarginLoss(), "MultiLabelMarginLoss()");
  EXPECT_REPR("nn.MultiLabelSoftMarginLoss()", nn::MultiLabelSoftMarginLoss(), "MultiLabelSoftMarginLoss()");
  EXPECT_REPR("nn.MultiMarginLoss()", nn::MultiMarginLoss(), "MultiMarginLoss()");
  EXPECT_REPR("nn.NLLLoss()", nn::NLLLoss(), "NLLLoss()");
  EXPECT_REPR("nn.PoissonNLLLoss()", nn::PoissonNLLLoss(), "PoissonNLLLoss()");
  EXPECT_REPR("nn.SmoothL1Loss()", nn::SmoothL1Loss(), "SmoothL1Loss()");
  EXPECT_REPR("nn.SoftMarginLoss()", nn::SoftMarginLoss(), "SoftMarginLoss()");
  EXPECT_REPR("nn.TripletMarginLoss()", nn::TripletMarginLoss(), "TripletMarginLoss()");
}

TEST(ModuleLoss, ShowsNoOptionThatIsSet) {
  const at::Tensor weight = at::ones({2});
  EXPECT_REPR("nn.BCEWithLogitsLoss(torch.ones(2), reduction='sum', pos_weight=torch.ones(2))",
              nn::BCEWithLogitsLoss(
                  nn::BCEWithLogitsLossOptions().weight(weight).reduction(torch::kSum).pos_weight(weight)),
              "BCEWithLogitsLoss()");
  EXPECT_REPR(
      "nn.CrossEntropyLoss(torch.ones(2), ignore_index=1, label_smoothing=0.1)",
      nn::CrossEntropyLoss(nn::CrossEntropyLossOptions().weight(weight).ignore_index(1).label_smoothing(0.1)),
      "CrossEntropyLoss()");
  EXPECT_REPR("nn.KLDivLoss(reduction='batchmean', log_target=True)",
              nn::KLDivLoss(nn::KLDivLossOptions().reduction(torch::kBatchMean).log_target(true)),
              "KLDivLoss()");
  EXPECT_REPR("nn.HuberLoss(delta=0.5)", nn::HuberLoss(nn::HuberLossOptions().delta(0.5)), "HuberLoss()");
}

TEST(ModuleLoss, WithADistanceShowsItAsAChild) {
  EXPECT_REPR("nn.TripletMarginWithDistanceLoss()", nn::TripletMarginWithDistanceLoss(),
              "TripletMarginWithDistanceLoss(\n"
              "  (distance_function): PairwiseDistance()\n"
              ")");
  const auto distance = [](const at::Tensor& a, const at::Tensor& b) { return (a - b).abs(); };
  EXPECT_REPR("nn.TripletMarginWithDistanceLoss(distance_function=lambda a, b: (a - b).abs())",
              nn::TripletMarginWithDistanceLoss(
                  nn::TripletMarginWithDistanceLossOptions().distance_function(distance)),
              "TripletMarginWithDistanceLoss()");
}

TEST(ModuleDistance, ShowsNothing) {
  EXPECT_REPR("nn.CosineSimilarity()", nn::CosineSimilarity(), "CosineSimilarity()");
  EXPECT_REPR("nn.CosineSimilarity(0, 0.1)",
              nn::CosineSimilarity(nn::CosineSimilarityOptions().dim(0).eps(0.1)), "CosineSimilarity()");
  EXPECT_REPR("nn.PairwiseDistance()", nn::PairwiseDistance(), "PairwiseDistance()");
  EXPECT_REPR("nn.PairwiseDistance(1.0, keepdim=True)",
              nn::PairwiseDistance(nn::PairwiseDistanceOptions().p(1).keepdim(true)), "PairwiseDistance()");
}

}  // namespace
}  // namespace torchbook::pyrepr
