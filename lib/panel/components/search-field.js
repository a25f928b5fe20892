import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button } from 'react-aria-components/Button';
import { Input } from 'react-aria-components/Input';
import { SearchField as Base } from 'react-aria-components/SearchField';
import { strings } from '../strings.ts';
import { join } from './classes.ts';
import field from './field.module.css';
import { Icon } from './icon.tsx';
import classes from './search-field.module.css';
/** Filters what is below it while the person types. */
export function SearchField({ label, ...rest }) {
    return (_jsxs(Base, { ...rest, "aria-label": label, className: classes['search'], children: [_jsx(Icon, { name: "search" }), _jsx(Input, { className: join(field['control'], classes['input']), placeholder: label }), _jsx(Button, { className: classes['clear'], "aria-label": strings.fields.clear, children: _jsx(Icon, { name: "cross", size: 14 }) })] }));
}
