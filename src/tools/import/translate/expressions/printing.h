// Translates print, f-strings, `"{:.2f}".format(x)` and `"%.2f" % x`.
#pragma once

#include <tools/import/translate/rows/row.h>

namespace torchbook::translate {

/// Returns a value as print, display and f-strings take it.
cpp::Expr printed(Builder& b, const Value& value);

/// `pprint(model.state_dict())`
Value pprint(Builder& b, const Arguments& arguments);

Value print(Builder& b, const Node& node);
Value f_string(Builder& b, const Node& node);
/// Returns a call of `f` with a format and the values of its fields.
Value filled(Builder& b, const std::string& format, const std::vector<Value>& values);

/// `torch.set_printoptions(precision=2)`: they hold until the notebook ends, or sets others.
Value print_options(Builder& b, const RowCall& given);

/// `"{} {:.2f} {0} {name}".format(a, b, name=c)`
Value formatted(Builder& b, const Value& text, const Arguments& arguments);

/// `"%s: %.2f" % (name, x)`
Value percent(Builder& b, const Value& text, const Value& right);

}  // namespace torchbook::translate
