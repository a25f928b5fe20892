import { Skeleton } from '../../components/skeleton.tsx';

export default function KeysTab() {
  return <Skeleton rows={4} />;
}
