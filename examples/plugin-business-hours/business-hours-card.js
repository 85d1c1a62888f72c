const english = { until: (time) => `Can be approved from ${time}.` };

/**
 * The line that cards, the inbox and messages show for a question that waits for business hours.
 *
 * @param settings.words replace the English text
 */
export function businessHoursLines({ words } = {}) {
  const { until } = { ...english, ...words };
  return ({ state, plugins }, { moment }) => {
    const at = plugins?.['business-hours']?.until;
    return state === 'open' && at ? [until(moment(at))] : [];
  };
}

/** The client half, for `CardPluginsProvider` of `countersign/react`. */
export function businessHoursCard(settings) {
  return { name: 'business-hours', linesAt: 'heading', lines: businessHoursLines(settings) };
}
