import { Page } from '../../components/page.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useWorkspace } from '../../workspace.tsx';
import { strings } from './strings.ts';

/** The connected accounts, and connecting more. */
export function AccountsPage() {
  const { name } = useWorkspace();
  return (
    <Page title={strings.title} of={name} lead={strings.lead}>
      <Skeleton rows={4} />
    </Page>
  );
}
