import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Tabs as Base, Tab, TabList, TabPanel } from 'react-aria-components/Tabs';
import classes from './tabs.module.css';
/** The tabs of a page. Each has its own URL. */
export function Tabs({ label, tabs, selected, children }) {
    return (_jsxs(Base, { className: classes['tabs'], selectedKey: selected, keyboardActivation: "manual", children: [_jsx(TabList, { className: classes['list'], "aria-label": label, items: tabs, children: ({ id, title, href }) => (_jsx(Tab, { className: classes['tab'], id: id, href: href, children: title })) }), _jsx(TabPanel, { className: classes['panel'], id: selected, children: children }, selected)] }));
}
