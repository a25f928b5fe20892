import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { ApiError } from '../api/api-error.ts';
import { strings } from '../strings.ts';
import { CopyButton } from './copy-button.tsx';
import classes from './request-id.module.css';
/** The id of the request that failed, to copy into a report; nothing if there was no response. */
export function RequestId({ error }) {
    const id = error instanceof ApiError ? error.requestId : undefined;
    if (id === undefined)
        return null;
    return (_jsxs("p", { className: classes['line'], children: [strings.errors.requestId, " ", _jsx("code", { className: classes['id'], children: id }), _jsx(CopyButton, { text: id, label: strings.errors.copyRequestId })] }));
}
