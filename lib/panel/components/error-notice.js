import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { ApiError, needsSignIn } from '../api/api-error.ts';
import { strings } from '../strings.ts';
import { Notice } from './notice.tsx';
import { RequestId } from './request-id.tsx';
/** Says what failed, what to do, and what to quote. Read out as soon as it appears. */
export function ErrorNotice({ error, title, children }) {
    if (needsSignIn(error))
        return (_jsx(Notice, { tone: "warn", isLive: true, children: strings.errors.signInAgain }));
    const isForbidden = error instanceof ApiError && error.code === 'permission_missing';
    return (_jsxs(Notice, { tone: "bad", title: title, isLive: true, children: [children || _jsx("p", { children: sentence(error.message) }), isForbidden && _jsx("p", { children: strings.errors.forbidden }), _jsx(RequestId, { error: error })] }));
}
/** The service's messages begin in lower case and have no full stop. */
export function sentence(message) {
    const text = message.charAt(0).toUpperCase() + message.slice(1);
    return /[.!?…]$/.test(text) ? text : `${text}.`;
}
