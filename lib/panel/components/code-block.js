import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import classes from './code-block.module.css';
import { CopyButton } from './copy-button.tsx';
/** Text of a program, such as a curl command, with a copy button. Long lines wrap. */
export function CodeBlock({ label, code, copyLabel }) {
    return (_jsxs("figure", { className: classes['block'], children: [_jsxs("figcaption", { className: classes['head'], children: [_jsx("span", { children: label }), _jsx(CopyButton, { text: code, label: copyLabel })] }), _jsx("pre", { className: classes['code'], children: _jsx("code", { children: code }) })] }));
}
