import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { useEffect, useRef } from 'react';
import { strings } from '../strings.ts';
import { join } from './classes.ts';
import { hasNavigated } from './navigated.ts';
import classes from './page.module.css';
/** A page of the panel: its heading, which gets the focus when somebody comes here from another page, and what is below. */
export function Page({ title, of, lead, actions, width = 'wide', children }) {
    const heading = useRef(null);
    useEffect(() => {
        document.title = strings.pageTitle(title, of);
    }, [title, of]);
    useEffect(() => {
        if (hasNavigated())
            heading.current?.focus();
    }, []);
    return (_jsxs("div", { className: join(classes['page'], classes[width]), children: [_jsxs("header", { className: classes['head'], children: [_jsxs("div", { className: classes['titles'], children: [_jsx("h1", { ref: heading, tabIndex: -1, children: title }), lead && _jsx("p", { className: classes['lead'], children: lead })] }), actions && _jsx("div", { className: classes['actions'], children: actions })] }), children] }));
}
