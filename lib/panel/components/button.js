import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button as Base } from 'react-aria-components/Button';
import classes from './button.module.css';
import { join } from './classes.ts';
import { Icon } from './icon.tsx';
import { Spinner } from './spinner.tsx';
/** While `isPending`, it keeps its width and focus, shows that it works, and does nothing when pressed. */
export function Button({ variant = 'secondary', size = 'medium', icon, isWide, children, ...rest }) {
    return (_jsx(Base, { ...rest, className: buttonClasses({ variant, size, isWide }), children: ({ isPending }) => (_jsxs(_Fragment, { children: [_jsxs("span", { className: classes['content'], children: [icon && _jsx(Icon, { name: icon }), _jsx("span", { children: children })] }), isPending && (_jsx("span", { className: classes['pending'], children: _jsx(Spinner, {}) }))] })) }));
}
/** For links that look like buttons. */
export const buttonClasses = ({ variant = 'secondary', size = 'medium', isWide, }) => join(classes['button'], classes[variant], classes[size], isWide && classes['wide']);
