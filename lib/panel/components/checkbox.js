import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Checkbox as Base } from 'react-aria-components/Checkbox';
import { CheckboxGroup as BaseGroup, } from 'react-aria-components/CheckboxGroup';
import classes from './choice.module.css';
import field from './field.module.css';
import { FieldLabel, FieldNotes } from './field.tsx';
import { Icon } from './icon.tsx';
export function Checkbox({ children, note, ...rest }) {
    return (_jsx(Base, { ...rest, className: classes['choice'], children: ({ isSelected, isIndeterminate }) => (_jsxs(_Fragment, { children: [_jsx("span", { className: classes['box'], children: isIndeterminate ? (_jsx("span", { className: classes['dash'] })) : (isSelected && _jsx(Icon, { name: "check", size: 14 })) }), _jsxs("span", { className: classes['text'], children: [children, note && _jsx("span", { className: classes['note'], children: note })] })] })) }));
}
/** Several {@link Checkbox}es, each with a `value`. */
export function CheckboxGroup({ label, help, isOptional, children, ...rest }) {
    return (_jsxs(BaseGroup, { ...rest, className: field['field'], children: [_jsx(FieldLabel, { label: label, isOptional: isOptional }), _jsx("div", { className: classes['group'], children: children }), _jsx(FieldNotes, { help: help })] }));
}
