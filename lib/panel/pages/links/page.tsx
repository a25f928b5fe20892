import { Page } from '../../components/page.tsx';
import { useWorkspace } from '../../workspace.tsx';

export function LinksPage() {
  const { name } = useWorkspace();
  return (
    <Page title="Links" of={name}>
      {null}
    </Page>
  );
}
