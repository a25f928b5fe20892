import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { useEffect, useMemo, useRef, useState } from 'react';
import { Form as Base } from 'react-aria-components/Form';
import { ApiError } from '../api/api-error.ts';
import { strings } from '../strings.ts';
import { ErrorNotice, sentence } from './error-notice.tsx';
import classes from './form.module.css';
/**
 * A form whose wrong fields are named by the service. A field takes the problems whose `param` is its `name`, or is below it:
 * `accountIds[0]` belongs to `accountIds`. The first wrong field gets the focus.
 */
export function Form({ onSubmit, error, errorTitle = strings.errors.formTitle, children }) {
    const form = useRef(null);
    const [names, setNames] = useState([]);
    useEffect(() => {
        if (!error)
            return;
        setNames(namesIn(form.current));
    }, [error]);
    const { byField, others } = useMemo(() => sortProblems(error, names), [error, names]);
    useEffect(() => {
        if (Object.keys(byField).length === 0)
            return;
        // The fields mark themselves as wrong in an effect of their own.
        const frame = requestAnimationFrame(() => {
            form.current?.querySelector('[aria-invalid="true"], [data-invalid] button')?.focus();
        });
        return () => cancelAnimationFrame(frame);
    }, [byField]);
    const submit = (event) => {
        event.preventDefault();
        onSubmit();
    };
    return (_jsxs(Base, { ref: form, className: classes['form'], validationErrors: byField, onSubmit: submit, children: [error && (others.length > 0 || Object.keys(byField).length === 0) && (_jsx(ErrorNotice, { error: error, title: errorTitle, children: others.length > 0 && (_jsx("ul", { className: classes['problems'], children: others.map(({ param, message }) => (_jsxs("li", { children: [_jsx("code", { children: param }), " ", message] }, `${param} ${message}`))) })) })), children] }));
}
function namesIn(form) {
    const elements = [...(form?.elements ?? [])];
    return [...new Set(elements.map(({ name }) => name ?? '').filter(Boolean))];
}
function sortProblems(error, names) {
    const byField = {};
    const others = [];
    for (const problem of error instanceof ApiError ? error.problems : []) {
        const name = names.find((each) => problem.param === each ||
            (/^[.[]/.test(problem.param.slice(each.length)) && problem.param.startsWith(each)));
        if (name === undefined)
            others.push(problem);
        else
            byField[name] = [...(byField[name] ?? []), sentence(problem.message)];
    }
    return { byField, others };
}
