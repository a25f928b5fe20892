import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { useId } from 'react';
import { join } from './classes.ts';
import classes from './page.module.css';
/** A part of a page, with a heading below the page's. */
export function Section({ title, lead, actions, isCard, children }) {
    const id = useId();
    return (_jsxs("section", { "aria-labelledby": id, className: join(classes['section'], isCard && classes['card']), children: [_jsxs("header", { className: classes['head'], children: [_jsxs("div", { className: classes['sectionTitles'], children: [_jsx("h2", { id: id, children: title }), lead && _jsx("p", { className: classes['lead'], children: lead })] }), actions && _jsx("div", { className: classes['actions'], children: actions })] }), children] }));
}
