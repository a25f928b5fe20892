import { Skeleton } from '../../components/skeleton.tsx';

export default function SessionsTab() {
  return <Skeleton rows={4} />;
}
