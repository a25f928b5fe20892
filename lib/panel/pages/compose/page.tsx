import { Page } from '../../components/page.tsx';
import { useWorkspace } from '../../workspace.tsx';

export function ComposePage() {
  const { name } = useWorkspace();
  return (
    <Page title="New post" of={name}>
      {null}
    </Page>
  );
}
