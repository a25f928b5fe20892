import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { strings } from '../strings.ts';
import { Button } from './button.tsx';
import { ErrorNotice } from './error-notice.tsx';
import classes from './load-more.module.css';
/** Below a list of `usePages`: reads the next page if there is one. */
export function LoadMore({ pages, }) {
    const { hasNextPage, isFetchingNextPage, isFetchNextPageError, error, fetchNextPage } = pages;
    if (!hasNextPage)
        return null;
    return (_jsxs("div", { className: classes['more'], children: [isFetchNextPageError && error && _jsx(ErrorNotice, { error: error }), _jsx(Button, { onPress: () => void fetchNextPage(), isPending: isFetchingNextPage, children: strings.actions.loadMore })] }));
}
