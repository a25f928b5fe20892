import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { useEffect, useState } from 'react';
import { useStore } from '../api/store.ts';
import { strings } from '../strings.ts';
import { Button } from './button.tsx';
import { join } from './classes.ts';
import { Icon } from './icon.tsx';
import { IconButton } from './icon-button.tsx';
import classes from './toast.module.css';
import { dismissToast, toasts } from './toast-list.ts';
const usualMs = 6000;
const withActionMs = 10000;
/** Where toasts appear. It is always in the page, so that assistive technology notices what is added. */
export function ToastRegion() {
    const shown = useStore(toasts);
    const [isHeld, setHeld] = useState(false);
    return (_jsx("section", { className: classes['region'], "aria-label": strings.toasts.region, onMouseEnter: () => setHeld(true), onMouseLeave: () => setHeld(false), onFocus: () => setHeld(true), onBlur: () => setHeld(false), children: _jsx("div", { role: "log", "aria-live": "polite", "aria-relevant": "additions", className: classes['list'], children: shown.map((each) => (_jsx(ToastCard, { toast: each, isHeld: isHeld }, each.id))) }) }));
}
/** While the pointer or the focus is on a toast, none goes away. */
function ToastCard({ toast, isHeld }) {
    const { id, text, tone = 'good', action, durationMs = action ? withActionMs : usualMs } = toast;
    useEffect(() => {
        if (isHeld)
            return;
        const timer = setTimeout(() => dismissToast(id), durationMs);
        return () => clearTimeout(timer);
    }, [id, durationMs, isHeld]);
    return (_jsxs("div", { className: classes['toast'], children: [tone !== 'neutral' && (_jsx("span", { className: join(classes['icon'], classes[tone]), children: _jsx(Icon, { name: tone === 'good' ? 'check' : 'alert' }) })), _jsx("p", { className: classes['text'], children: text }), action && (_jsx(Button, { size: "small", onPress: () => {
                    dismissToast(id);
                    action.run();
                }, children: action.label })), _jsx(IconButton, { icon: "cross", size: "small", label: strings.actions.dismiss, onPress: () => dismissToast(id) })] }));
}
