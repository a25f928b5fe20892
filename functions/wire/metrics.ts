import { Metrics } from '@aws-lambda-powertools/metrics';
import {
  type Measurement,
  metricNamespace,
  metricUnits,
  platformDimension,
  serviceDimension,
} from '../../lib/metrics/measurements.ts';
import type { Wire } from './start.ts';

/**
 * Writes readings to the log, one line a platform, in CloudWatch's embedded metric format: it makes metrics of them without
 * a call. The lines hold names and numbers, and nothing of whom they are about.
 */
export const record: Wire<(measurements: readonly Measurement[]) => void> = (environment) => {
  const metrics = new Metrics({
    namespace: metricNamespace(environment('STAGE')),
    serviceName: serviceDimension.service,
  });
  return (measurements) => {
    for (const [platform, ofPlatform] of Map.groupBy(measurements, (each) => each.platform)) {
      if (platform !== undefined) metrics.addDimension(platformDimension, platform);
      for (const { name, value } of ofPlatform) metrics.addMetric(name, metricUnits[name], value);
      metrics.publishStoredMetrics();
    }
  };
};
