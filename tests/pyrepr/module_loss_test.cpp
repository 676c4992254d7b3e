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
  EXPECT_PYTHON("repr(nn.BCELoss())", repr(nn::BCELoss()), "BCELoss()");
  EXPECT_PYTHON("repr(nn.BCEWithLogitsLoss())", repr(nn::BCEWithLogitsLoss()), "BCEWithLogitsLoss()");
  EXPECT_PYTHON("repr(nn.CTCLoss())", repr(nn::CTCLoss()), "CTCLoss()");
  EXPECT_PYTHON("repr(nn.CosineEmbeddingLoss())", repr(nn::CosineEmbeddingLoss()), "CosineEmbeddingLoss()");
  EXPECT_PYTHON("repr(nn.CrossEntropyLoss())", repr(nn::CrossEntropyLoss()), "CrossEntropyLoss()");
  EXPECT_PYTHON("repr(nn.HingeEmbeddingLoss())", repr(nn::HingeEmbeddingLoss()), "HingeEmbeddingLoss()");
  EXPECT_PYTHON("repr(nn.HuberLoss())", repr(nn::HuberLoss()), "HuberLoss()");
  EXPECT_PYTHON("repr(nn.KLDivLoss())", repr(nn::KLDivLoss()), "KLDivLoss()");
  EXPECT_PYTHON("repr(nn.L1Loss())", repr(nn::L1Loss()), "L1Loss()");
  EXPECT_PYTHON("repr(nn.MSELoss())", repr(nn::MSELoss()), "MSELoss()");
  EXPECT_PYTHON("repr(nn.MarginRankingLoss())", repr(nn::MarginRankingLoss()), "MarginRankingLoss()");
  EXPECT_PYTHON("repr(nn.MultiLabelMarginLoss())", repr(nn::MultiLabelMarginLoss()),
                "MultiLabelMarginLoss()");
  EXPECT_PYTHON("repr(nn.MultiLabelSoftMarginLoss())", repr(nn::MultiLabelSoftMarginLoss()),
                "MultiLabelSoftMarginLoss()");
  EXPECT_PYTHON("repr(nn.MultiMarginLoss())", repr(nn::MultiMarginLoss()), "MultiMarginLoss()");
  EXPECT_PYTHON("repr(nn.NLLLoss())", repr(nn::NLLLoss()), "NLLLoss()");
  EXPECT_PYTHON("repr(nn.PoissonNLLLoss())", repr(nn::PoissonNLLLoss()), "PoissonNLLLoss()");
  EXPECT_PYTHON("repr(nn.SmoothL1Loss())", repr(nn::SmoothL1Loss()), "SmoothL1Loss()");
  EXPECT_PYTHON("repr(nn.SoftMarginLoss())", repr(nn::SoftMarginLoss()), "SoftMarginLoss()");
  EXPECT_PYTHON("repr(nn.TripletMarginLoss())", repr(nn::TripletMarginLoss()), "TripletMarginLoss()");
}

TEST(ModuleLoss, ShowsNoOptionThatIsSet) {
  const at::Tensor weight = at::ones({2});
  EXPECT_PYTHON("repr(nn.BCEWithLogitsLoss(torch.ones(2), reduction='sum', pos_weight=torch.ones(2)))",
                repr(nn::BCEWithLogitsLoss(
                    nn::BCEWithLogitsLossOptions().weight(weight).reduction(torch::kSum).pos_weight(weight))),
                "BCEWithLogitsLoss()");
  EXPECT_PYTHON("repr(nn.CrossEntropyLoss(torch.ones(2), ignore_index=1, label_smoothing=0.1))",
                repr(nn::CrossEntropyLoss(
                    nn::CrossEntropyLossOptions().weight(weight).ignore_index(1).label_smoothing(0.1))),
                "CrossEntropyLoss()");
  EXPECT_PYTHON("repr(nn.KLDivLoss(reduction='batchmean', log_target=True))",
                repr(nn::KLDivLoss(nn::KLDivLossOptions().reduction(torch::kBatchMean).log_target(true))),
                "KLDivLoss()");
  EXPECT_PYTHON("repr(nn.HuberLoss(delta=0.5))", repr(nn::HuberLoss(nn::HuberLossOptions().delta(0.5))),
                "HuberLoss()");
}

TEST(ModuleLoss, WithADistanceShowsItAsAChild) {
  EXPECT_PYTHON("repr(nn.TripletMarginWithDistanceLoss())", repr(nn::TripletMarginWithDistanceLoss()),
                "TripletMarginWithDistanceLoss(\n"
                "  (distance_function): PairwiseDistance()\n"
                ")");
  const auto distance = [](const at::Tensor& a, const at::Tensor& b) { return (a - b).abs(); };
  EXPECT_PYTHON("repr(nn.TripletMarginWithDistanceLoss(distance_function=lambda a, b: (a - b).abs()))",
                repr(nn::TripletMarginWithDistanceLoss(
                    nn::TripletMarginWithDistanceLossOptions().distance_function(distance))),
                "TripletMarginWithDistanceLoss()");
}

TEST(ModuleDistance, ShowsNothing) {
  EXPECT_PYTHON("repr(nn.CosineSimilarity())", repr(nn::CosineSimilarity()), "CosineSimilarity()");
  EXPECT_PYTHON("repr(nn.CosineSimilarity(0, 0.1))",
                repr(nn::CosineSimilarity(nn::CosineSimilarityOptions().dim(0).eps(0.1))),
                "CosineSimilarity()");
  EXPECT_PYTHON("repr(nn.PairwiseDistance())", repr(nn::PairwiseDistance()), "PairwiseDistance()");
  EXPECT_PYTHON("repr(nn.PairwiseDistance(1.0, keepdim=True))",
                repr(nn::PairwiseDistance(nn::PairwiseDistanceOptions().p(1).keepdim(true))),
                "PairwiseDistance()");
}

}  // namespace
}  // namespace torchbook::pyrepr
