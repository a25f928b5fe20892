import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { useEffect, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { strings } from '../strings.ts';
import { join } from './classes.ts';
import classes from './copy-button.module.css';
import { Icon } from './icon.tsx';
/** Copies a text, and says that it did, to the eye and to assistive technology. */
export function CopyButton({ text, label, hasWord }) {
    const [isCopied, setCopied] = useState(false);
    useEffect(() => {
        if (!isCopied)
            return;
        const timer = setTimeout(() => setCopied(false), 2000);
        return () => clearTimeout(timer);
    }, [isCopied]);
    const copy = async () => {
        await navigator.clipboard.writeText(text);
        setCopied(true);
    };
    return (_jsxs(Button, { className: join(classes['copy'], hasWord && classes['worded']), "aria-label": label, onPress: () => void copy().catch(() => setCopied(false)), children: [_jsx(Icon, { name: isCopied ? 'check' : 'copy' }), hasWord && _jsx("span", { children: isCopied ? strings.actions.copied : strings.actions.copy }), _jsx("span", { role: "status", className: classes['said'], children: isCopied ? strings.actions.copied : '' })] }));
}
