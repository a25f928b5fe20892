import { Page } from '../../components/page.tsx';
import { useWorkspace } from '../../workspace.tsx';

export function NowPage() {
  const { name } = useWorkspace();
  return (
    <Page title="Now" of={name}>
      {null}
    </Page>
  );
}
