import { jsx as _jsx } from "react/jsx-runtime";
import { Button as Base } from 'react-aria-components/Button';
import { join } from './classes.ts';
import { Icon } from './icon.tsx';
import classes from './icon-button.module.css';
/** A button that is only a picture. If there is space for a word, use {@link Button}; if not, put it into a {@link Tooltip}. */
export function IconButton({ icon, label, size = 'medium', ...rest }) {
    return (_jsx(Base, { ...rest, "aria-label": label, className: join(classes['button'], classes[size]), children: _jsx(Icon, { name: icon }) }));
}
