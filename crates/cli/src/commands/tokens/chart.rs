//! A small chart for a page: what one task costs with one tool for every operation, and through the tools that are offered.
//!
//! Costs in, an SVG out that needs no fonts or styles of its own.

use crate::cost::ToolCost;
use aqueduct_operations::size::grouped;

/// In pixels: the names, the longest bar, room for a number, a row, a bar.
const NAMES: usize = 170;
const LONGEST: usize = 380;
const NUMBERS: usize = 110;
const ROW: usize = 56;
const BAR: usize = 16;
const TOP: usize = 34;

/// The chart.
pub(super) fn svg(cost: &ToolCost) -> String {
    let rows: Vec<(String, usize, usize)> = cost
        .sources
        .iter()
        .filter_map(|source| Some((escaped(&source.source), cost.task_of_tools(source)?, cost.task(source)?)))
        .collect();
    let most = rows.iter().map(|(_, tools, task)| *tools.max(task)).max().unwrap_or(1).max(1);
    let (width, height) = (NAMES + LONGEST + NUMBERS, TOP + rows.len() * ROW + 24);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"12\" fill=\"#444\">\n<title>Tokens of one task</title>\n\
         <text x=\"8\" y=\"20\" font-size=\"14\">Tokens of one task</text>\n"
    );
    for (index, (name, tools, task)) in rows.iter().enumerate() {
        let y = TOP + index * ROW;
        svg.push_str(&format!("<text x=\"8\" y=\"{}\">{name}</text>\n", y + BAR + 6));
        for (tokens, colour, label, y) in
            [(tools, "#bbb", "one tool each", y), (task, "#2a7", "through aqueduct", y + BAR + 4)]
        {
            let length = (LONGEST * tokens / most).max(2);
            svg.push_str(&format!(
                "<rect x=\"{NAMES}\" y=\"{y}\" width=\"{length}\" height=\"{BAR}\" fill=\"{colour}\"><title>{label}</title></rect>\n\
                 <text x=\"{}\" y=\"{}\">{}</text>\n",
                NAMES + length + 6,
                y + BAR - 4,
                grouped(*tokens)
            ));
        }
    }
    svg.push_str(&format!(
        "<text x=\"8\" y=\"{}\" font-size=\"10\">grey: one tool for every operation; green: through aqueduct; tokens of {}</text>\n</svg>",
        height - 8,
        cost.vocabulary
    ));
    svg
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
