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
 * Writes measurements to the log, one line per platform, in CloudWatch's embedded metric format, which needs no API call.
 * CloudWatch counts each line for its platform and for all platforms together, which an alarm reads as one metric. The
 * lines contain names and numbers only, nothing about users.
 */
export const record: Wire<(measurements: readonly Measurement[]) => void> = (environment) => {
  const metrics = new Metrics({
    namespace: metricNamespace(environment('STAGE')),
    serviceName: serviceDimension.service,
  });
  return (measurements) => {
    for (const [platform, ofPlatform] of Map.groupBy(measurements, (each) => each.platform)) {
      if (platform !== undefined) {
        metrics.addDimension(platformDimension, platform);
        // A second set of dimensions: only those that every metric has.
        metrics.addDimensions({});
      }
      for (const { name, value } of ofPlatform) metrics.addMetric(name, metricUnits[name], value);
      metrics.publishStoredMetrics();
    }
  };
};
