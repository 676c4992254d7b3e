// Makes text safe for HTML, and fills in the site's templates, which the build embeds.
#pragma once

#include <initializer_list>
#include <kainjow/mustache.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace torchbook::site {

/// Returns the text, pictured(), as HTML for an element or a quoted attribute.
std::string escaped(std::string_view text);

/// Replaces the entities in the HTML of md4c by their characters.
std::string unescaped(std::string_view html);

/// Replaces each text from `open` to the next `close`, inclusive, by the result of `replacement`
/// for the text between them. If the result is nullopt, the text stays.
template <class Replacement>
std::string replaced(std::string_view html, std::string_view open, std::string_view close,
                     const Replacement& replacement) {
  std::string result;
  for (auto start = html.find(open); start != html.npos; start = html.find(open)) {
    const auto end = html.find(close, start + open.size());
    if (end == html.npos) break;
    const auto whole = html.substr(start, end + close.size() - start);
    const std::optional<std::string> text =
        replacement(html.substr(start + open.size(), end - start - open.size()));
    result.append(html.substr(0, start)).append(text ? *text : std::string(whole));
    html.remove_prefix(end + close.size());
  }
  return result.append(html);
}

/// Returns a paragraph in which words between backticks are code.
std::string paragraph(std::string_view text);

/// Returns the name of a notebook's page, `<slug>.html`. A character that a name cannot hold becomes `-`.
std::string page_name(std::string_view slug);

/// Returns a slug as a title: `attention_by_hand` becomes `Attention by hand`.
std::string title_of(std::string_view slug);

extern const std::string_view site_frame;      ///< frame.mustache: the frame of every page
extern const std::string_view site_index;      ///< index.mustache
extern const std::string_view site_notebook;   ///< notebook.mustache
extern const std::string_view site_code;       ///< code.mustache: twin and source side by side
extern const std::string_view site_tensor;     ///< tensor.mustache: a tensor as tables of colours
extern const std::string_view site_questions;  ///< questions/questions.mustache
extern const std::string_view
    site_reading_style;  ///< reading.css, print.css: contents, sections, the whole screen, and paper
extern const std::string_view site_style;     ///< style.css
extern const std::string_view site_colours;   ///< colours.css
extern const std::string_view site_theme;     ///< theme.js
extern const std::string_view site_reload;    ///< reload.js
extern const std::string_view site_steps;     ///< steps.js
extern const std::string_view site_switches;  ///< switches.js
extern const std::string_view site_tables;    ///< tables.js
extern const std::string_view site_origins;   ///< origins.js
extern const std::string_view site_engine;    ///< the scripts of engine/, which compute tensors
extern const std::string_view
    site_computing;                        ///< the scripts of computing/, by which a reader changes numbers
extern const std::string_view site_lines;  ///< lines.js, past.js: lines between words
extern const std::string_view site_lines_style;      ///< lines.css
extern const std::string_view site_attention;        ///< attention.js: an attention to touch, on the index
extern const std::string_view site_attention_style;  ///< attention.css
extern const std::string_view site_computing_style;  ///< computing.css
extern const std::string_view site_small_gpt;        ///< gpt/small_gpt.mustache
extern const std::string_view site_gpt;              ///< the scripts of gpt/
extern const std::string_view site_gpt_weights;      ///< gpt/weights.js
extern const std::string_view site_gpt_style;        ///< gpt/gpt.css

using Data = kainjow::mustache::data;

/// Returns an object with these fields.
Data object(std::initializer_list<std::pair<const char*, Data>> fields);

/// Returns a list of what `make` returns for each item.
template <class Items, class Make>
Data list_of(const Items& items, const Make& make) {
  Data list(Data::type::list);
  for (const auto& item : items) list.push_back(make(item));
  return list;
}

/// Returns the text, or false if there is none, so that the template leaves its section out.
Data text_or_false(const std::string& text);
Data text_or_false(const std::optional<std::string>& text);

/// Fills in a template. `{{name}}` is escaped, `{{{name}}}` is not. Throws std::logic_error for an invalid
/// template.
std::string filled(std::string_view text, const Data& data);

}  // namespace torchbook::site
