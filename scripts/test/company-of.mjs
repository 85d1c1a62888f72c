/**
 * With which other files a test shares its process, if not with those of its folder.
 *
 * - `alone`: it changes or observes its whole process. It replaces modules, sets global telemetry, or counts what all code of
 *   the process does.
 * - `routes`: it serves the app's routes. The app has one instance per process.
 * - `pages`: it makes a DOM in the process of its server.
 *
 * @param {string} source of the file
 * @returns {'alone' | 'routes' | 'pages' | undefined}
 */
export function companyOf(source) {
  const has = (...signs) => signs.some((sign) => sign.test(source));
  const servesRoutes = has(/\b(serveAppRoutes|closeCountersign)\b/);
  const makesDom = has(/\/(dom|open-page|chat-fixture|use-[a-z-]+-suite)\.tsx?'/);
  const concernsItsProcess = has(
    /\bvi\.(mock|doMock|resetModules|stubGlobal)\(/,
    /\b(traceCalls|countFlow|neverRunPattern|WeakRef|FinalizationRegistry)\b/,
    /\bspyOn\((console|process|Math|globalThis|crypto|[\w.]+\.prototype)\b/,
    /\bprocess\.(on|once|emit|memoryUsage|cpuUsage)\(|\bsetGlobal\w+\(|\/record-telemetry\.ts'/,
  );
  if (concernsItsProcess || (servesRoutes && makesDom)) return 'alone';
  if (servesRoutes) return 'routes';
  if (makesDom) return 'pages';
  return has(/\bvi\.stubEnv\(/) ? 'alone' : undefined;
}
