import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { useEffect } from 'react';
import { signInUrl } from '../api/session.ts';
import { buttonClasses } from '../components/button.tsx';
import { ExternalLink } from '../components/link.tsx';
import { strings } from '../strings.ts';
import classes from './greeting.module.css';
import { Mark } from './mark.tsx';
/** For people who are not signed in. */
export function Greeting({ title, lead, returnTo, children }) {
    useEffect(() => {
        document.title = strings.pageTitle(strings.greeting.signIn);
    }, []);
    return (_jsx("main", { className: classes['greeting'], children: _jsxs("div", { className: classes['card'], children: [_jsxs("p", { className: classes['product'], children: [_jsx(Mark, {}), strings.product] }), _jsxs("div", { className: classes['texts'], children: [_jsx("h1", { children: title }), _jsx("p", { className: classes['lead'], children: lead })] }), children, _jsx("a", { className: buttonClasses({ variant: 'primary', isWide: true }), href: signInUrl(returnTo), children: strings.greeting.signIn }), _jsx("p", { className: classes['documentation'], children: _jsx(ExternalLink, { href: "/docs", children: strings.greeting.documentation }) })] }) }));
}
