/// The style sheet of the page. It supports light and dark mode, and narrow and wide screens.
enum HTMLStyle {
  static let text = """
    :root { --paper: #ffffff; --ink: #1b1f24; --soft: #57606a; --line: #d8dee4; --panel: #f6f8fa; --alarm: #b42318;
      --s0: #0b5cad; --s1: #6ea3d8; --s2: #6b7280; --s3: #b4530a; --s4: #1a7f4b; --s5: #8a3ab9; --s6: #c2185b; }
    @media (prefers-color-scheme: dark) {
      :root { --paper: #0d1117; --ink: #e6edf3; --soft: #9da7b3; --line: #30363d; --panel: #161b22; --alarm: #ff9a8a;
        --s0: #58a6ff; --s1: #2f6db3; --s2: #9aa4b0; --s3: #f0944d; --s4: #4ac27d; --s5: #c58af0; --s6: #ff7ab0; }
    }
    * { box-sizing: border-box; }
    body { margin: 0 auto; padding: 12px; max-width: 1120px; background: var(--paper); color: var(--ink);
      font: 15px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
    h1 { font-size: 1.4rem; margin: .4rem 0 .8rem; }
    h2 { font-size: 1.1rem; margin: 1.8rem 0 .4rem; padding-top: .8rem; border-top: 1px solid var(--line); }
    h3 { font-size: 1rem; margin: 1.1rem 0 .3rem; }
    nav ul { columns: 4 11rem; margin: 0; padding-left: 1.1rem; font-size: .9rem; } a { color: var(--s0); }
    p { margin: .3rem 0 .6rem; }
    .note { color: var(--soft); font-size: .88rem; margin: .15rem 0; }
    .warning { color: var(--alarm); }
    code, pre { font-family: ui-monospace, Menlo, monospace; font-size: .92em; }
    pre { margin: .3rem 0 .8rem; padding: .5rem .7rem; background: var(--panel); border-radius: 6px; white-space: pre-wrap; }
    .answers { margin: .4rem 0; display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1rem; }
    .answers dt { font-weight: 600; }
    .answers dd { margin: 0; min-width: 0; }
    .answers ul { margin: .1rem 0 .2rem; padding-left: 1.1rem; color: var(--soft); font-size: .9rem; }
    @media (max-width: 560px) { .answers { display: block; } .answers dd { margin: 0 0 .5rem .8rem; } }
    .scroller { overflow-x: auto; margin: .5rem 0; }
    table { border-collapse: collapse; font-size: .86rem; font-variant-numeric: tabular-nums; }
    th, td { padding: .22rem .6rem .22rem 0; text-align: left; white-space: nowrap; border-bottom: 1px solid var(--line); }
    th { font-weight: 600; }
    .number { text-align: right; white-space: pre; }
    .bad { color: var(--alarm); } .good { color: var(--s4); }
    .weak { color: var(--soft); font-style: italic; }
    @media (max-width: 700px) {
      table, tbody, tr, th, td { display: block; }
      thead { display: none; }
      tr { display: grid; grid-template-columns: repeat(auto-fill, minmax(96px, 1fr)); gap: 0 .8rem; padding: .35rem 0;
        border-bottom: 1px solid var(--line); }
      th, td, .number { border: 0; padding: 0 0 .2rem; text-align: left; white-space: normal; }
      tbody th { grid-column: 1 / -1; } td[data-label^="vs "] { grid-column: span 2; }
      td::before { content: attr(data-label); display: block; color: var(--soft); font-size: .76rem; }
    }
    .plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 330px), 1fr)); gap: 12px;
      margin-top: .6rem; }
    figure { margin: 0; padding: 8px; background: var(--panel); border: 1px solid var(--line); border-radius: 6px; }
    figcaption { font-size: .86rem; color: var(--soft); margin-bottom: 4px; }
    svg { display: block; width: 100%; height: auto; }
    svg text { fill: var(--ink); font-size: 11.5px; font-family: inherit; }
    svg .tick, svg .unit { fill: var(--soft); font-size: 10.5px; }
    svg .mid { text-anchor: middle; } svg .end { text-anchor: end; }
    svg .band { fill: var(--soft); fill-opacity: .18; }
    svg .grid { stroke: var(--line); } svg .axis { stroke: var(--soft); }
    svg .neutral { stroke: var(--ink); stroke-dasharray: 3 2; }
    svg .whisker { stroke: var(--ink); stroke-width: 1.5; }
    svg .range { stroke-width: 5; stroke-linecap: round; opacity: .45; }
    svg .curve { fill: none; stroke-width: 2; } svg .stick { stroke-width: 1.2; }
    svg .area { stroke-width: 1; fill-opacity: .35; }
    .s0 { fill: var(--s0); stroke: var(--s0); } .s1 { fill: var(--s1); stroke: var(--s1); }
    .s2 { fill: var(--s2); stroke: var(--s2); } .s3 { fill: var(--s3); stroke: var(--s3); }
    .s4 { fill: var(--s4); stroke: var(--s4); } .s5 { fill: var(--s5); stroke: var(--s5); }
    .s6 { fill: var(--s6); stroke: var(--s6); }
    svg .curve { fill: none; }
    """
}
