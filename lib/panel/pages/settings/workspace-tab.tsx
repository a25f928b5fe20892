import { Skeleton } from '../../components/skeleton.tsx';

export default function WorkspaceTab() {
  return <Skeleton rows={4} />;
}
