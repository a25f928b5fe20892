import { Page } from '../../components/page.tsx';
import { useWorkspace } from '../../workspace.tsx';

export function EditPostPage() {
  const { name } = useWorkspace();
  return (
    <Page title="Edit post" of={name}>
      {null}
    </Page>
  );
}
