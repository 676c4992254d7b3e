// Defines how Python prints losses and distances. Their options are not shown.
#include <torch/nn/modules/distance.h>
#include <torch/nn/modules/loss.h>
#include <torchbook/pyrepr/module_kinds.h>

namespace torchbook::pyrepr::inline v1 {
namespace {

namespace nn = torch::nn;

/// Returns Python's default child PairwiseDistance, or no child if the loss has its own distance
/// function.
ModuleChildren default_distance(const nn::Module& module) {
  const auto& options = dynamic_cast<const nn::TripletMarginWithDistanceLossImpl&>(module).options;
  ModuleChildren children;
  if (!options.distance_function().has_value())
    children.insert("distance_function", std::make_shared<nn::PairwiseDistanceImpl>());
  return children;
}

}  // namespace

std::vector<ModuleKind> loss_kinds() {
  ModuleKind with_distance = module_kind<nn::TripletMarginWithDistanceLossImpl>(no_extra);
  with_distance.children = default_distance;
  return join_kinds(
      {with_distance},
      module_kinds<nn::BCELossImpl, nn::BCEWithLogitsLossImpl, nn::CTCLossImpl, nn::CosineEmbeddingLossImpl,
                   nn::CosineSimilarityImpl, nn::CrossEntropyLossImpl, nn::HingeEmbeddingLossImpl,
                   nn::HuberLossImpl, nn::KLDivLossImpl, nn::L1LossImpl, nn::MSELossImpl,
                   nn::MarginRankingLossImpl, nn::MultiLabelMarginLossImpl, nn::MultiLabelSoftMarginLossImpl,
                   nn::MultiMarginLossImpl, nn::NLLLossImpl, nn::PairwiseDistanceImpl, nn::PoissonNLLLossImpl,
                   nn::SmoothL1LossImpl, nn::SoftMarginLossImpl, nn::TripletMarginLossImpl>(no_extra));
}

}  // namespace torchbook::pyrepr::inline v1
