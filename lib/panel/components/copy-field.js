import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { useId } from 'react';
import { join } from './classes.ts';
import { CopyButton } from './copy-button.tsx';
import classes from './copy-field.module.css';
import field from './field.module.css';
/** A value that the person takes elsewhere, such as a new key: a read-only text field with a copy button. */
export function CopyField({ label, value, help, copyLabel }) {
    const id = useId();
    return (_jsxs("div", { className: field['field'], children: [_jsx("label", { className: field['label'], htmlFor: id, children: label }), _jsxs("div", { className: classes['row'], children: [_jsx("input", { id: id, className: join(field['control'], field['mono'], classes['value']), type: "text", readOnly: true, value: value, spellCheck: false, autoComplete: "off", "aria-describedby": help ? `${id}-help` : undefined, onFocus: ({ currentTarget }) => currentTarget.select() }), _jsx(CopyButton, { text: value, label: copyLabel, hasWord: true })] }), help && (_jsx("p", { id: `${id}-help`, className: field['help'], children: help }))] }));
}
