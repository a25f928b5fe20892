import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Switch as Base } from 'react-aria-components/Switch';
import classes from './choice.module.css';
/** Something that is on or off and takes effect at once. In a form that is saved, use {@link Checkbox}. */
export function Switch({ children, note, ...rest }) {
    return (_jsxs(Base, { ...rest, className: classes['choice'], children: [_jsx("span", { className: classes['track'], children: _jsx("span", { className: classes['knob'] }) }), _jsxs("span", { className: classes['text'], children: [children, note && _jsx("span", { className: classes['note'], children: note })] })] }));
}
