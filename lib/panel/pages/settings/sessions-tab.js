import { jsx as _jsx } from "react/jsx-runtime";
import { Skeleton } from '../../components/skeleton.tsx';
export default function SessionsTab() {
    return _jsx(Skeleton, { rows: 4 });
}
