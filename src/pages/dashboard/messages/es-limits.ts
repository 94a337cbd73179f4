/**
 * Español (Argentina): los límites de una inmobiliaria, casi todos en la consola del operador.
 */
import { maxOfLimit, mostActiveKeys } from '../../../limits/table.ts'
import { formats } from '../../../platform/web/format.ts'

export const limits = {
  page: {
    title: 'Límites',
    text: 'Rigen desde la próxima solicitud. Los de lecturas y escrituras son de cada clave; los demás, de toda la inmobiliaria. «Usado» es lo del minuto, la hora o el día en curso; en lecturas y escrituras, de la clave que más usó.',
    limit: 'Límite',
    used: 'Usado',
    inForce: 'Vigente',
    usual: 'Habitual',
    until: 'Hasta',
    noEnd: 'Sin fecha de fin',
    all: 'todos',
    change: 'Cambiar',
    changeHint: 'Completá solo los que quieras cambiar. Con 0 no se permite nada.',
    untilLabel: 'Hasta (opcional)',
    untilHint:
      'Termina a las 21 h del día anterior, hora argentina (0 h UTC), y vuelve el valor habitual. Sin fecha, queda hasta que lo cambies.',
    save: 'Guardar los límites',
    clear: 'Volver al habitual',
    clearAll: 'Volver todos al habitual',
  },
  audit: {
    details: {
      until: 'hasta',
      cleared: 'vuelve al valor habitual',
    },
    actions: {
      agency_limits_changed: 'Cambió los límites de la inmobiliaria',
    },
  },
  flash: {
    limitsChanged: 'Límites cambiados.',
  },
  reasons: {
    limit_odd: `Escribí un número entero de 0 a ${formats.es.number(maxOfLimit)}.`,
    limits_none: 'Completá al menos un límite.',
    keys_many: `Puede haber hasta ${mostActiveKeys.new} claves en uso a la vez. Revocá una que ya no se use y volvé a intentarlo.`,
    keys_replaced_many:
      'Todavía funcionan demasiadas claves reemplazadas. Revocá las claves que ya reemplazaste y volvé a intentarlo.',
  },
}
