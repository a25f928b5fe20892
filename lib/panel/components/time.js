import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { useEffect, useState } from 'react';
import { strings } from '../strings.ts';
import { browserZone, formatRelative, formatTime, isSameTime, zoneName } from '../time.ts';
import { useWorkspace } from '../workspace.tsx';
import classes from './time.module.css';
/**
 * A time on the workspace's clocks, with its zone. If the person's clock shows another time then, that time is below. A date alone has
 * neither.
 */
export function Time({ at, format = 'full', isRelative = false }) {
    const { timezone } = useWorkspace();
    const now = useNow(isRelative);
    const date = new Date(at);
    const own = browserZone();
    const text = formatTime(date, timezone, format);
    const isDate = format === 'date';
    return (_jsxs("span", { className: classes['time'], children: [isRelative && _jsx("span", { className: classes['relative'], children: formatRelative(date, now) }), _jsxs("time", { dateTime: at, className: isRelative ? classes['minor'] : undefined, children: [text, !isDate && _jsxs("span", { className: classes['zone'], children: [" ", zoneName(date, timezone)] })] }), !isDate && !isSameTime(date, timezone, own) && (_jsx("span", { className: classes['minor'], children: strings.time.yourTime(formatTime(date, own, ownFormat(date, timezone, own, format))) }))] }));
}
/** The person's own date is only written where it is another one. */
function ownFormat(date, timezone, own, format) {
    const isSameDay = formatTime(date, timezone, 'date') === formatTime(date, own, 'date');
    return isSameDay ? 'time' : format;
}
/** Epoch milliseconds, renewed twice a minute. */
function useNow(isNeeded) {
    const [now, setNow] = useState(Date.now);
    useEffect(() => {
        if (!isNeeded)
            return;
        const timer = setInterval(() => setNow(Date.now()), 30000);
        return () => clearInterval(timer);
    }, [isNeeded]);
    return now;
}
