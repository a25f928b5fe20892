import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { useStore } from '../api/store.ts';
import { Button } from '../components/button.tsx';
import { Dialog, DialogActions, DialogBody } from '../components/dialog.tsx';
import { Switch } from '../components/switch.tsx';
import { commands, keyCaps, setSingleKeys, singleKeys } from '../shortcuts.ts';
import { strings } from '../strings.ts';
import palette from './command-palette.module.css';
import classes from './keyboard-help.module.css';
/** Lists the keys that do something here, and turns single keys off and on. */
export default function KeyboardHelp({ onClose }) {
    const isOn = useStore(singleKeys);
    const withKeys = useStore(commands).filter(({ keys }) => keys !== undefined);
    return (_jsxs(Dialog, { title: strings.keyboard.title, isOpen: true, onClose: onClose, size: "medium", children: [_jsxs(DialogBody, { children: [_jsx(Keys, { title: strings.keyboard.onThisPage, of: withKeys.filter(({ group }) => group === 'page') }), _jsx(Keys, { title: strings.keyboard.everywhere, of: withKeys.filter(({ group }) => group !== 'page') }), _jsx(Switch, { isSelected: isOn, onChange: setSingleKeys, note: strings.keyboard.singleHelp, children: strings.keyboard.single })] }), _jsx(DialogActions, { children: _jsx(Button, { onPress: onClose, children: strings.actions.close }) })] }));
}
function Keys({ title, of }) {
    if (of.length === 0)
        return null;
    return (_jsxs("section", { className: classes['group'], children: [_jsx("h3", { children: title }), _jsx("dl", { className: classes['list'], children: of.map(({ id, name, keys = '' }) => (_jsxs("div", { className: classes['row'], children: [_jsx("dt", { children: name }), _jsx("dd", { className: palette['keys'], children: keyCaps(keys).map((cap) => (_jsx("kbd", { className: palette['cap'], children: cap }, cap))) })] }, id))) })] }));
}
