import type { LimitMessages } from './limit-messages-en.ts'

export const limitsEs: LimitMessages = {
  change: 'Límites',
  changeNamed: (app) => `Límites de ${app}`,
  title: (app) => `Límites de ${app}`,
  lead: 'Un pago que supere un límite se rechaza. Deja un campo vacío si no quieres límite. Solo tú puedes cambiarlo, no la app.',
  single: 'Mayor pago individual',
  day: 'Total por día',
  week: 'Total por semana',
  month: 'Total por mes',
  lastDay: 'Último día',
  lastDayHint: 'Después de este día, la app no puede cobrar nada.',
  zone: (zone) =>
    `Los días, las semanas y los meses siguen tu zona horaria, ${zone}. Las semanas empiezan el lunes. Cuenta lo que la app ya haya cobrado en el día, la semana y el mes actuales.`,
  amountError: 'Escribe un importe como 20 o 19,99, o deja el campo vacío.',
  dayError: 'Elige un día entre 2000 y 2999, o deja el campo vacío.',
  confirm:
    'La aplicación podría cobrar más que antes. Confírmalo con tu contraseña o con una llave de acceso.',
  confirmByPasskey: 'Confirmar con una llave de acceso',
  saved: (app) => `Los límites de ${app} se han guardado.`,
  removed: (app) => `${app} no tiene límites.`,
  shownSingle: (most) => `Como máximo ${most} de una vez`,
  shownDay: (spent, most) => `${spent} de ${most} usados hoy`,
  shownWeek: (spent, most) => `${spent} de ${most} usados esta semana`,
  shownMonth: (spent, most) => `${spent} de ${most} usados este mes`,
  shownLastDay: (day) => `Hasta el ${day}`,
}
