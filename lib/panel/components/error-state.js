import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { ApiError, isNotFound } from '../api/api-error.ts';
import { strings } from '../strings.ts';
import { Button } from './button.tsx';
import { join } from './classes.ts';
import classes from './empty-state.module.css';
import { sentence } from './error-notice.tsx';
import { Icon } from './icon.tsx';
import { RequestId } from './request-id.tsx';
/** Where something should be that did not load: says why, what to do, and what to quote. */
export function ErrorState({ error, onRetry, isRetrying = false }) {
    const isMissing = isNotFound(error);
    const isForbidden = error instanceof ApiError && error.status === 403;
    return (_jsxs("div", { className: classes['empty'], role: "alert", children: [_jsx("span", { className: join(classes['icon'], classes['bad']), children: _jsx(Icon, { name: "alert", size: 20 }) }), _jsx("h2", { className: classes['title'], children: isMissing ? strings.errors.notFoundTitle : strings.errors.title }), _jsxs("div", { className: classes['text'], children: [_jsx("p", { children: isMissing ? strings.errors.notFoundText : sentence(error.message) }), isForbidden && _jsx("p", { children: strings.errors.forbidden }), _jsx(RequestId, { error: error })] }), onRetry && !isMissing && !isForbidden && (_jsx("div", { className: classes['action'], children: _jsx(Button, { icon: "refresh", onPress: onRetry, isPending: isRetrying, children: strings.actions.retry }) }))] }));
}
