// Defines how Python prints linear, recurrent, embedding and dropout layers, and layers that only
// rearrange or resample elements.
#include <torch/nn/modules/dropout.h>
#include <torch/nn/modules/embedding.h>
#include <torch/nn/modules/fold.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/modules/pixelshuffle.h>
#include <torch/nn/modules/rnn.h>
#include <torch/nn/modules/upsampling.h>
#include <torchbook/pyrepr/module_kinds.h>
#include <torchbook/pyrepr/release.h>

namespace torchbook::pyrepr::inline v1 {
namespace {

namespace nn = torch::nn;

constexpr auto linear = [](const nn::LinearImpl& module, ExtraText& out) { write_linear(module, out); };

constexpr auto bilinear = [](const nn::BilinearImpl& module, ExtraText& out) {
  out.add("in1_features", module.options.in1_features()).add("in2_features", module.options.in2_features());
  out.add("out_features", module.options.out_features()).add("bias", module.bias.defined());
};

constexpr auto flatten = [](const nn::FlattenImpl& module, ExtraText& out) {
  out.add("start_dim", module.options.start_dim()).add("end_dim", module.options.end_dim());
};

/// Adds the options of Unflatten. Newer releases have no named dimensions.
template <class Options>
void add_unflatten(const Options& options, ExtraText& out) {
  if constexpr (requires { options.namedshape(); }) {
    if (!options.dimname().empty()) {
      std::vector<std::string> shape;
      for (const auto& [name, size] : options.namedshape())
        shape.push_back("(" + detail::repr_string(name) + ", " + std::to_string(size) + ")");
      out.add("dim", options.dimname()).add("unflattened_size", shape);
      return;
    }
  }
  out.add("dim", options.dim()).add("unflattened_size", options.sizes());
}

constexpr auto unflatten = [](const nn::UnflattenImpl& module, ExtraText& out) {
  add_unflatten(module.options, out);
};

/// Returns a mode as Upsample and EmbeddingBag show it.
template <class Mode>
std::string mode_text(const Mode& mode) {
  const std::string name = enum_name(mode);
  return release::quotes_modes ? detail::repr_string(name) : name;
}

constexpr auto embedding = [](const nn::EmbeddingImpl& module, ExtraText& out) {
  const auto& options = module.options;
  out.add(options.num_embeddings()).add(options.embedding_dim());
  out.add_unless("padding_idx", options.padding_idx(), {}).add_unless("max_norm", options.max_norm(), {});
  out.add_unless("norm_type", options.norm_type(), 2.0);
  out.add_unless("scale_grad_by_freq", options.scale_grad_by_freq(), false);
  out.add_unless("sparse", options.sparse(), false);
};

constexpr auto embedding_bag = [](const nn::EmbeddingBagImpl& module, ExtraText& out) {
  const auto& options = module.options;
  out.add(options.num_embeddings()).add(options.embedding_dim());
  out.add_unless("max_norm", options.max_norm(), {}).add_unless("norm_type", options.norm_type(), 2.0);
  out.add_unless("scale_grad_by_freq", options.scale_grad_by_freq(), false);
  out.add("mode", mode_text(options.mode())).add_unless("padding_idx", options.padding_idx(), {});
};

constexpr auto recurrent = [](const auto& module, ExtraText& out) {
  const auto& options = module.options_base;
  out.add(options.input_size()).add(options.hidden_size());
  out.add_unless("proj_size", options.proj_size(), std::int64_t{0});
  out.add_unless("num_layers", options.num_layers(), std::int64_t{1});
  out.add_unless("bias", options.bias(), true).add_unless("batch_first", options.batch_first(), false);
  out.add_unless("dropout", options.dropout(), 0.0);
  out.add_unless("bidirectional", options.bidirectional(), false);
};

constexpr auto recurrent_cell = [](const auto& module, ExtraText& out) {
  const auto& options = module.options_base;
  out.add(options.input_size()).add(options.hidden_size()).add_unless("bias", options.bias(), true);
};

constexpr auto rnn_cell = [](const nn::RNNCellImpl& module, ExtraText& out) {
  recurrent_cell(module, out);
  out.add_unless("nonlinearity", enum_name(module.options.nonlinearity()), std::string("tanh"));
};

constexpr auto dropout = [](const auto& module, ExtraText& out) {
  out.add("p", module.options.p()).add("inplace", module.options.inplace());
};

constexpr auto fold = [](const nn::FoldImpl& module, ExtraText& out) {
  const auto& options = module.options;
  out.add_sizes("output_size", *options.output_size()).add_sizes("kernel_size", *options.kernel_size());
  out.add_sizes("dilation", *options.dilation()).add_sizes("padding", *options.padding());
  out.add_sizes("stride", *options.stride());
};

constexpr auto unfold = [](const nn::UnfoldImpl& module, ExtraText& out) {
  const auto& options = module.options;
  out.add_sizes("kernel_size", *options.kernel_size()).add_sizes("dilation", *options.dilation());
  out.add_sizes("padding", *options.padding()).add_sizes("stride", *options.stride());
};

constexpr auto pixel_shuffle = [](const nn::PixelShuffleImpl& module, ExtraText& out) {
  out.add("upscale_factor", module.options.upscale_factor());
};

constexpr auto pixel_unshuffle = [](const nn::PixelUnshuffleImpl& module, ExtraText& out) {
  out.add("downscale_factor", module.options.downscale_factor());
};

constexpr auto upsample = [](const nn::UpsampleImpl& module, ExtraText& out) {
  const auto& options = module.options;
  if (options.scale_factor().has_value()) {
    out.add_sizes("scale_factor", *options.scale_factor());
  } else if (options.size().has_value()) {
    out.add_sizes("size", *options.size());
  } else {
    out.add("size", "None");
  }
  out.add("mode", mode_text(options.mode()));
};

}  // namespace

void write_linear(const nn::LinearImpl& module, ExtraText& out) {
  out.add("in_features", module.options.in_features()).add("out_features", module.options.out_features());
  out.add("bias", module.bias.defined());
}

std::vector<ModuleKind> layer_kinds() {
  return join_kinds(module_kinds<nn::IdentityImpl>(no_extra), module_kinds<nn::LinearImpl>(linear),
                    module_kinds<nn::BilinearImpl>(bilinear), module_kinds<nn::FlattenImpl>(flatten),
                    module_kinds<nn::UnflattenImpl>(unflatten), module_kinds<nn::EmbeddingImpl>(embedding),
                    module_kinds<nn::EmbeddingBagImpl>(embedding_bag),
                    module_kinds<nn::GRUImpl, nn::LSTMImpl, nn::RNNImpl>(recurrent),
                    module_kinds<nn::GRUCellImpl, nn::LSTMCellImpl>(recurrent_cell),
                    module_kinds<nn::RNNCellImpl>(rnn_cell),
                    module_kinds<nn::AlphaDropoutImpl, nn::DropoutImpl, nn::Dropout2dImpl, nn::Dropout3dImpl,
                                 nn::FeatureAlphaDropoutImpl>(dropout),
                    module_kinds<nn::FoldImpl>(fold), module_kinds<nn::UnfoldImpl>(unfold),
                    module_kinds<nn::PixelShuffleImpl>(pixel_shuffle),
                    module_kinds<nn::PixelUnshuffleImpl>(pixel_unshuffle),
                    module_kinds<nn::UpsampleImpl>(upsample));
}

}  // namespace torchbook::pyrepr::inline v1
