import { Page } from '../../components/page.tsx';
import { useWorkspace } from '../../workspace.tsx';

export function PostPage() {
  const { name } = useWorkspace();
  return (
    <Page title="Post" of={name}>
      {null}
    </Page>
  );
}
