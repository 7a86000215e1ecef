"""The style sheet of the report page: light and dark by what the reader's system asks for."""

STYLE = """
:root{color-scheme:light dark;--page:#f6f7f9;--card:#fff;--ink:#1a2230;--soft:#5b6575;
--rule:#dfe3ea;--grid:#e8ebf0;--zero:#aab2bf;--accent:#14598c;--good:#1f7a4d;--bad:#b3401f;--track:#eef1f5;
--c0:#14598c;--c1:#c2571a;--c2:#1f7a4d;--c3:#8a3f8f;--c4:#a07400;--c5:#0e7d87;
--c6:#b02a55;--c7:#5a6472;--raw:#98a1ae;--accept:rgba(31,122,77,.10);--reject:rgba(179,64,31,.10);
--warm:194,87,26;--cold:20,89,140}
@media (prefers-color-scheme:dark){:root{--page:#0f141b;--card:#171e28;--ink:#e6eaf0;--soft:#9aa6b6;
--rule:#2a3442;--grid:#232c39;--zero:#546174;--accent:#6db3e8;--good:#5cc48e;--bad:#f08a66;
--track:#202936;--c0:#6db3e8;--c1:#f0975a;--c2:#5cc48e;--c3:#cf8fd4;--c4:#e0b94a;--c5:#4fc3cd;
--c6:#f07a9f;--c7:#a9b3c0;--raw:#66717f;--accept:rgba(92,196,142,.12);--reject:rgba(240,138,102,.12);
--warm:240,151,90;--cold:109,179,232}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);
font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
.skip{position:absolute;left:-999px}.skip:focus{left:8px;top:8px;background:var(--card);padding:8px}
header,main,footer{max-width:1080px;margin:0 auto;padding:0 20px}
header{padding-top:36px}
.over{color:var(--accent);font-weight:600;letter-spacing:.08em;text-transform:uppercase;font-size:12px}
h1{font-size:30px;line-height:1.2;margin:4px 0 6px;letter-spacing:-.01em;overflow-wrap:anywhere}
h2{font-size:19px;margin:0 0 4px;letter-spacing:-.005em}
p{margin:0 0 12px}.lede,.hint{color:var(--soft)}.hint{font-size:14px;max-width:96ch}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(130px,1fr));gap:12px;
margin:20px 0 0;padding:0}
.tile{background:var(--card);border:1px solid var(--rule);border-radius:12px;padding:12px 16px}
.tile dt{color:var(--soft);font-size:13px}.tile dd{margin:0;font-size:24px;font-weight:650;
font-variant-numeric:tabular-nums;letter-spacing:-.01em}
section{background:var(--card);border:1px solid var(--rule);border-radius:14px;
padding:20px 22px;margin:18px 0}
.scroll{overflow-x:auto}.scroll:focus-visible{outline:2px solid var(--accent);outline-offset:4px;
border-radius:6px}
table{border-collapse:collapse;width:100%;font-size:14.5px;font-variant-numeric:tabular-nums}
caption{position:absolute;clip-path:inset(50%);height:1px;width:1px;overflow:hidden;white-space:nowrap}
th,td{padding:8px 10px;text-align:right;white-space:nowrap;border-bottom:1px solid var(--rule)}
tbody tr:last-child>*{border-bottom:0}
thead th{color:var(--soft);font-weight:600;font-size:12.5px}
th:first-child,td.left,th.left{text-align:left}
tbody th{font-weight:600}
tbody tr:hover>*{background:var(--track)}
.terms{display:block;color:var(--soft);font-weight:400;font-size:12.5px;max-width:300px;
overflow:hidden;text-overflow:ellipsis}
.swatch{display:inline-block;width:11px;height:11px;border-radius:3px;margin-right:9px;
background:var(--mark)}
.pm{color:var(--soft)}.bad{color:var(--bad);font-weight:600}
.cross td{min-width:70px;text-align:center;border:2px solid var(--card);border-radius:7px}
.cross thead th{text-align:center;vertical-align:bottom}
.cross tbody tr:hover>td{background-color:inherit}
.cross .n{display:block;font-size:11px;color:var(--soft)}
.cross td.self{background:var(--track)}
.track{display:inline-block;width:110px;height:8px;border-radius:4px;background:var(--track);
vertical-align:middle;margin-left:10px;overflow:hidden}.track i{display:block;height:100%;
background:var(--mark,var(--accent))}
.many{display:grid;grid-template-columns:repeat(auto-fill,minmax(260px,1fr));gap:14px}.many>div{max-width:380px}
.warn{border-left:4px solid var(--bad)}
svg{display:block;width:100%;height:auto}
.scroll>svg{min-width:600px}
svg text{font-size:13px;fill:var(--ink)}
svg .tick{font-size:12px;fill:var(--soft)}svg .name{font-size:12.5px;fill:var(--soft)}
svg .note{font-size:12px;fill:var(--soft)}svg .value{font-weight:600}
svg .label{font-weight:600}svg .title{font-weight:650;font-size:14px}
.grid{stroke:var(--grid)}.zero{stroke:var(--zero)}
.even{stroke:var(--zero);stroke-dasharray:4 4}
.bound{stroke:var(--soft);stroke-dasharray:6 4}
.accept{fill:var(--accept)}.reject{fill:var(--reject)}
.curve{fill:none;stroke:var(--mark);stroke-width:2.25;stroke-linejoin:round;stroke-linecap:round}
.interval{stroke:var(--mark);stroke-width:5;stroke-linecap:round;opacity:.38}
.cap{stroke:var(--mark);stroke-width:2}.lead{stroke:var(--mark);opacity:.45}
.dot{fill:var(--mark);stroke:var(--card);stroke-width:2}
svg .fill{fill:var(--mark);font-weight:600}svg .title{fill:var(--mark)}
.bar.ahead{fill:var(--c0)}.bar.behind{fill:var(--c1)}.bar.level{fill:var(--raw)}
.bar:hover{opacity:.75}
.mean{stroke:var(--ink);stroke-width:1.5;stroke-dasharray:3 3}
.c0{--mark:var(--c0)}.c1{--mark:var(--c1)}.c2{--mark:var(--c2)}.c3{--mark:var(--c3)}
.c4{--mark:var(--c4)}.c5{--mark:var(--c5)}.c6{--mark:var(--c6)}.c7{--mark:var(--c7)}
.raw{--mark:var(--raw)}
footer{color:var(--soft);font-size:13.5px;padding-bottom:48px}
footer ul{padding-left:18px;margin:4px 0 12px}
@media (max-width:560px){header,main,footer{padding-left:10px;padding-right:10px}
section{padding:16px 12px;border-radius:10px}h1{font-size:24px}.tile dd{font-size:20px}}
@media print{body{background:#fff}section{break-inside:avoid}}
@media (prefers-reduced-motion:no-preference){.skip{transition:left .1s}}
"""
