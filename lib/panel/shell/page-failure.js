import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button } from '../components/button.tsx';
import { CodeBlock } from '../components/code-block.tsx';
import { strings } from '../strings.ts';
import classes from './page-failure.module.css';
/** In place of a page with an error of its own. The navigation stays. */
export function PageFailure({ error }) {
    return _jsx(FailureText, { error: error instanceof Error ? error : new Error(String(error)) });
}
export function FailureText({ error }) {
    return (_jsxs("div", { className: classes['failure'], role: "alert", children: [_jsx("h1", { children: strings.errors.pageTitle }), _jsx("p", { children: strings.errors.pageText }), _jsx(CodeBlock, { label: error.name, code: `${error.message}\n${location.pathname}`, copyLabel: strings.errors.copyReport }), _jsx("p", { children: _jsx(Button, { variant: "primary", icon: "refresh", onPress: () => location.reload(), children: strings.errors.reload }) })] }));
}
