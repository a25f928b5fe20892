import { jsx as _jsx } from "react/jsx-runtime";
import { Page } from '../../components/page.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useWorkspace } from '../../workspace.tsx';
import { strings } from './strings.ts';
/** The connected accounts, and connecting more. */
export function AccountsPage() {
    const { name } = useWorkspace();
    return (_jsx(Page, { title: strings.title, of: name, lead: strings.lead, children: _jsx(Skeleton, { rows: 4 }) }));
}
