import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Link } from '@tanstack/react-router';
import { Icon } from '../components/icon.tsx';
import { strings } from '../strings.ts';
import classes from './navigation.module.css';
import { firstTab, pages } from './pages.ts';
/** Links to the panel's own pages: beside the page, or below it on small screens. */
export function Navigation() {
    return (_jsx("nav", { className: classes['navigation'], "aria-label": strings.navigation.label, children: _jsx("ul", { className: classes['list'], children: pages.map(({ to, name, icon }) => (_jsx("li", { children: _jsxs(Link, { to: to, params: firstTab, className: classes['link'], activeProps: { 'aria-current': 'page' }, children: [_jsx(Icon, { name: icon }), name] }) }, to))) }) }));
}
