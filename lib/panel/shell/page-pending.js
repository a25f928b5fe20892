import { jsx as _jsx } from "react/jsx-runtime";
import { Skeleton } from '../components/skeleton.tsx';
/** While the code of a page loads. */
export function PagePending() {
    return _jsx(Skeleton, { rows: 5 });
}
