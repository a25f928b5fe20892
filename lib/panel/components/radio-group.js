import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { RadioGroup as Base, Radio as BaseRadio, } from 'react-aria-components/RadioGroup';
import classes from './choice.module.css';
import field from './field.module.css';
import { FieldLabel, FieldNotes } from './field.tsx';
/** One of two to five choices, all in sight: {@link Radio}s. */
export function RadioGroup({ label, help, isOptional, children, ...rest }) {
    return (_jsxs(Base, { ...rest, className: field['field'], children: [_jsx(FieldLabel, { label: label, isOptional: isOptional }), _jsx("div", { className: classes['group'], children: children }), _jsx(FieldNotes, { help: help })] }));
}
export function Radio({ children, note, ...rest }) {
    return (_jsx(BaseRadio, { ...rest, className: classes['choice'], children: ({ isSelected }) => (_jsxs(_Fragment, { children: [_jsx("span", { className: classes['circle'], children: isSelected && _jsx("span", { className: classes['dot'] }) }), _jsxs("span", { className: classes['text'], children: [children, note && _jsx("span", { className: classes['note'], children: note })] })] })) }));
}
